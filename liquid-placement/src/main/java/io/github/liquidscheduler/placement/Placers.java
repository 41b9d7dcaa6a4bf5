package io.github.liquidscheduler.placement;

import io.github.liquidscheduler.placement.immediate.GangPlacer;
import io.github.liquidscheduler.placement.immediate.LeastCostPlacer;
import io.github.liquidscheduler.placement.immediate.TaskByTaskPlacer;
import io.github.liquidscheduler.placement.sharing.SharingPlacer;
import io.github.liquidscheduler.placement.sharing.SharingRule;
import io.github.liquidscheduler.placement.sharing.SharingRules;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * The placers that come with the library: {@code best-fit}, which is meant to be used, and others
 * to compare it with.
 */
public final class Placers {

  private static final Map<String, LongFunction<Placer>> BY_NAME = byName();

  private Placers() {}

  /**
   * Returns the placer {@code best-fit}, the default: gangs on as few and as narrow domains as
   * possible, where the least room is left over.
   */
  public static Placer bestFit() {
    return GangPlacer.bestFit();
  }

  /**
   * Returns the placer {@code least-cost}: gangs where their traffic costs least, in seconds of
   * their own iterations and of those whose links they share. A job that says nothing of its
   * communication goes where best fit puts it.
   */
  public static Placer leastCost() {
    return LeastCostPlacer.physical();
  }

  /** Returns the names that {@link #named} knows. */
  public static List<String> names() {
    return List.copyOf(BY_NAME.keySet());
  }

  /**
   * Returns the placer of this name: {@code best-fit}; {@code least-cost}; or, each placing task by
   * task, {@code random}, {@code even-spread} (where the fewest GPUs are held), {@code
   * least-allocated} (where the largest part is free, as Kubernetes does), {@code pack} (where the
   * most GPUs are held), {@code buddy-cells} (as HiveD does, without its virtual clusters) or
   * {@code liquid} (the best fit of the released program of Liquid); or, letting jobs that may
   * share GPUs do so once there is no room for them alone, {@code share-first-fit}, {@code
   * share-liquid}, {@code share-gandiva}, {@code share-antman} or {@code share-lucid} (see {@link
   * SharingRules}).
   *
   * @param seed what {@code random} draws from; the others do not need it
   * @throws IllegalArgumentException if {@link #names()} has no such name
   */
  public static Placer named(String name, long seed) {
    LongFunction<Placer> placer = BY_NAME.get(name);
    if (placer == null) {
      throw new IllegalArgumentException(
          "a placer must be one of %s, but was '%s'".formatted(String.join(", ", names()), name));
    }
    return placer.apply(seed);
  }

  private static Map<String, LongFunction<Placer>> byName() {
    Map<String, LongFunction<Placer>> placers = new LinkedHashMap<>();
    placers.put("best-fit", seed -> GangPlacer.bestFit());
    placers.put("least-cost", seed -> LeastCostPlacer.physical());
    placers.put("random", TaskByTaskPlacer::random);
    placers.put("even-spread", seed -> TaskByTaskPlacer.evenSpread());
    placers.put("least-allocated", seed -> TaskByTaskPlacer.leastAllocated());
    placers.put("pack", seed -> TaskByTaskPlacer.pack());
    placers.put("buddy-cells", seed -> TaskByTaskPlacer.buddyCells());
    placers.put("liquid", seed -> TaskByTaskPlacer.liquid());
    placers.put("share-first-fit", seed -> sharing(SharingRules.firstFit()));
    placers.put("share-liquid", seed -> sharing(SharingRules.liquid()));
    placers.put("share-gandiva", seed -> sharing(SharingRules.gandiva()));
    placers.put("share-antman", seed -> sharing(SharingRules.antMan()));
    placers.put("share-lucid", seed -> sharing(SharingRules.lucid()));
    return placers;
  }

  private static Placer sharing(SharingRule rule) {
    return SharingPlacer.builder(rule).build();
  }
}
