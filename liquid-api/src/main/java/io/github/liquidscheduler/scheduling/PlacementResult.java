package io.github.liquidscheduler.scheduling;

import io.github.liquidscheduler.cluster.Placement;
import java.util.List;
import java.util.Objects;

/** What a {@link Placer} found. */
public sealed interface PlacementResult {

  /**
   * The job fits.
   *
   * @param placement where each task goes
   */
  record Placed(Placement placement) implements PlacementResult {
    /** Checks that nothing is null. */
    public Placed {
      Objects.requireNonNull(placement, "placement");
    }
  }

  /**
   * The job does not fit now.
   *
   * @param shortfalls what is missing, the most telling first; at least one
   */
  record Unplaced(List<Shortfall> shortfalls) implements PlacementResult {
    /** Checks and copies the shortfalls. */
    public Unplaced {
      shortfalls = List.copyOf(shortfalls);
    }
  }
}
