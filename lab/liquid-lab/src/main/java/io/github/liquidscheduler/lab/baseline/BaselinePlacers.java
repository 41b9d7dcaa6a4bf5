package io.github.liquidscheduler.lab.baseline;

import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.ColocationPolicy;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.simulator.baseline.NodeScore;
import io.github.liquidscheduler.simulator.baseline.SimplePlacers;
import io.github.liquidscheduler.simulator.baseline.TaskByTaskPlacer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;

/** Placers by name: those of the library, and those of other schedulers to compare with. */
public final class BaselinePlacers {

  private static final String SHARING = "share-";

  private static final Map<String, LongFunction<Placer>> BY_NAME = byName();

  private BaselinePlacers() {}

  /** Returns the names that {@link #named} knows. */
  public static List<String> names() {
    return List.copyOf(BY_NAME.keySet());
  }

  /**
   * Returns the placer of this name: one of {@link Placers}; or, each placing task by task, {@code
   * random}, {@code even-spread} (where the fewest GPUs are held), {@code least-allocated} (where
   * the largest part is free, as Kubernetes does), {@code pack} (where the most GPUs are held),
   * {@code buddy-cells} (as HiveD does, without its virtual clusters) or {@code liquid} (the best
   * fit of the released program of Liquid); or, co-locating jobs that may share GPUs once there is
   * no room for them alone, {@code share-first-fit}, {@code share-liquid}, {@code share-gandiva},
   * {@code share-antman} or {@code share-lucid} (see {@link PublishedColocationPolicies}).
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

  /** Returns whom the placer of this name lets share GPUs; empty if it lets nobody. */
  public static Optional<ColocationPolicy> colocationPolicy(String name) {
    return PublishedColocationPolicies.all().stream()
        .filter(policy -> name.equals(SHARING + policy.name()))
        .findFirst();
  }

  private static Map<String, LongFunction<Placer>> byName() {
    Map<String, LongFunction<Placer>> placers = SimplePlacers.byName();
    placers.put("buddy-cells", seed -> buddyCells());
    placers.put("liquid", seed -> liquid());
    PublishedColocationPolicies.all()
        .forEach(policy -> placers.put(SHARING + policy.name(), seed -> colocating(policy)));
    return placers;
  }

  /**
   * Returns a placer that gives each task a buddy cell of GPUs, the smallest free one that holds it
   * (after Zhao et al., HiveD, OSDI 2020; without its virtual clusters).
   */
  public static TaskByTaskPlacer buddyCells() {
    return TaskByTaskPlacer.by(BaselinePlacers::smallestCell)
        .withCells(candidate -> BuddyCells.of(candidate).smallestFreeFor(candidate.task().gpus()));
  }

  /**
   * Returns a placer that does what the best fit of the released program of Liquid does (Gu et al.,
   * TPDS 33(11), 2022): servers and workers in turn, each where tiers of the topology between them,
   * load and the number of nodes add up to least.
   */
  public static TaskByTaskPlacer liquid() {
    return TaskByTaskPlacer.by(new LiquidScore()).interleaving();
  }

  /** Scores nodes by how small a free cell of GPUs the task would break up; then by held GPUs. */
  static double smallestCell(NodeScore.Candidate candidate) {
    int cell = BuddyCells.of(candidate).smallestFreeFor(candidate.task().gpus()).size();
    return cell == 0
        ? Double.NEGATIVE_INFINITY
        : -cell * (Node.MAX_GPUS + 1.0) + candidate.heldGpus();
  }

  private static Placer colocating(ColocationPolicy policy) {
    return Placers.colocating(Colocation.builder(policy).build());
  }
}
