package io.github.liquidscheduler.placement;

import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.search.ColocationPlacer;
import io.github.liquidscheduler.placement.cost.CostModel;
import io.github.liquidscheduler.placement.fragmentation.LeastFragmentationPlacer;
import io.github.liquidscheduler.placement.gang.BestFitPlacer;
import io.github.liquidscheduler.placement.search.LeastCostPlacer;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.List;
import java.util.Objects;

/** The placers that come with the library. */
public final class Placers {

  private static final String BEST_FIT = "best-fit";
  private static final String LEAST_COST = "least-cost";
  private static final String LEAST_FRAGMENTATION = "fgd";

  private Placers() {}

  /**
   * Returns the placer {@code best-fit}, the default: each gang on one node or in the narrowest
   * domain that holds it, where the least capacity is left over.
   */
  public static Placer bestFit() {
    return BestFitPlacer.bestFit();
  }

  /**
   * Returns the placer {@code least-cost}: each gang where its traffic adds the fewest seconds to
   * its own iterations and to those of the jobs whose links it shares. A job without communication
   * goes where best fit puts it.
   */
  public static Placer leastCost() {
    return LeastCostPlacer.physical();
  }

  /**
   * Returns a placer that places each job at the least cost by {@code model}. Of the GPU models
   * that a job names the most preferred is used, as always; if it names none, the cost decides.
   */
  public static Placer leastCost(CostModel model) {
    return LeastCostPlacer.of(Objects.requireNonNull(model, "model"));
  }

  /**
   * Returns the placer {@code fgd}: each job of one task, on a share of a GPU or on whole ones,
   * where fragmentation grows least, that is the part of the free GPUs that tasks like those that
   * run could not use (fragmentation gradient descent; Weng et al., USENIX ATC 2023). Gangs go
   * where best fit puts them. For clusters of which many jobs take shares of GPUs.
   */
  public static Placer leastFragmentation() {
    return new LeastFragmentationPlacer();
  }

  /**
   * Returns a placer that lets jobs share GPUs, for embedders with their own cluster state. It
   * reads observations from the view. It is a pure function, but keeps caches, so each thread needs
   * its own.
   */
  public static Placer colocating(Colocation colocation) {
    return new ColocationPlacer(colocation);
  }

  /** Returns the names for {@link #named}. */
  public static List<String> names() {
    return List.of(BEST_FIT, LEAST_COST, LEAST_FRAGMENTATION);
  }

  /**
   * Returns the placer of this name.
   *
   * @throws IllegalArgumentException if {@link #names()} has no such name
   */
  public static Placer named(String name) {
    return switch (name) {
      case BEST_FIT -> bestFit();
      case LEAST_COST -> leastCost();
      case LEAST_FRAGMENTATION -> leastFragmentation();
      default ->
          throw new IllegalArgumentException(
              "a placer must be one of %s, but was '%s'"
                  .formatted(String.join(", ", names()), name));
    };
  }
}
