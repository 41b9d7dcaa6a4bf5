package io.github.liquidscheduler.placement;

import io.github.liquidscheduler.placement.gang.BestFitPlacer;
import io.github.liquidscheduler.placement.search.LeastCostPlacer;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.List;

/** The placers that come with the library. */
public final class Placers {

  private static final String BEST_FIT = "best-fit";
  private static final String LEAST_COST = "least-cost";

  private Placers() {}

  /**
   * Returns the placer {@code best-fit}, the default: gangs on as few and as narrow domains as
   * possible, where the least room is left over.
   */
  public static Placer bestFit() {
    return BestFitPlacer.bestFit();
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
    return List.of(BEST_FIT, LEAST_COST);
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
      default ->
          throw new IllegalArgumentException(
              "a placer must be one of %s, but was '%s'"
                  .formatted(String.join(", ", names()), name));
    };
  }
}
