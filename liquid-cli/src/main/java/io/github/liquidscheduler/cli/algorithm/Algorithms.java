package io.github.liquidscheduler.cli.algorithm;

import io.github.liquidscheduler.placement.colocation.ColocationPolicy;
import io.github.liquidscheduler.planner.BatchPlanners;
import io.github.liquidscheduler.planner.PlanCost;
import io.github.liquidscheduler.planning.BatchPlanner;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.simulator.baseline.SimplePlacers;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.function.LongFunction;

/** Placers and batch planners by name: those of the library, then those of providers. */
public final class Algorithms {

  private static final Map<String, LongFunction<Placer>> PLACERS = SimplePlacers.byName();
  private static final Map<String, Function<PlanCost, BatchPlanner>> PLANNERS =
      new LinkedHashMap<>();
  private static final Map<String, ColocationPolicy> COLOCATION = new LinkedHashMap<>();

  static {
    BatchPlanners.names()
        .forEach(name -> PLANNERS.put(name, cost -> BatchPlanners.named(name, cost)));
    for (AlgorithmProvider provider : ServiceLoader.load(AlgorithmProvider.class)) {
      PLACERS.putAll(provider.placers());
      PLANNERS.putAll(provider.planners());
      COLOCATION.putAll(provider.colocationPolicies());
    }
  }

  private Algorithms() {}

  /** Returns the names of all placers. */
  public static List<String> placers() {
    return List.copyOf(PLACERS.keySet());
  }

  /**
   * Returns the placer of this name.
   *
   * @param seed the seed of random placement; other placers ignore it
   * @throws IllegalArgumentException if there is none; the message lists all names
   */
  public static Placer placer(String name, long seed) {
    return find("a placer", PLACERS, name).apply(seed);
  }

  /** Returns the co-location policy of the placer of this name; empty if it shares no GPUs. */
  public static Optional<ColocationPolicy> colocationPolicy(String placer) {
    return Optional.ofNullable(COLOCATION.get(placer));
  }

  /** Returns the names of all batch planners. */
  public static List<String> planners() {
    return List.copyOf(PLANNERS.keySet());
  }

  /**
   * Returns the batch planner of this name, whose plans cost what the physical network model says.
   *
   * @throws IllegalArgumentException if there is none; the message lists all names
   */
  public static BatchPlanner planner(String name) {
    return find("a planner", PLANNERS, name).apply(PlanCost.physical());
  }

  private static <T> T find(String kind, Map<String, T> all, String name) {
    T found = all.get(name);
    if (found == null) {
      throw new IllegalArgumentException(
          "%s must be one of %s, but was '%s'"
              .formatted(kind, String.join(", ", all.keySet()), name));
    }
    return found;
  }

  /** The names of all placers, for the help of an option. */
  public static final class PlacerNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return placers().iterator();
    }
  }

  /** The names of all batch planners, for the help of an option. */
  public static final class PlannerNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return planners().iterator();
    }
  }
}
