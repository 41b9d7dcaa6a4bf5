package io.github.liquidscheduler.placement.network;

import org.jspecify.annotations.Nullable;

/** The reused tables in which the cost of one candidate at a time is computed. */
final class Workspace {

  final LinkLoads loads;
  final NetworkModel model;
  final ContentionCost contention;
  int[] touched = new int[64];
  final double[] bytesOfLevel;
  private @Nullable IncrementalSeconds current;

  Workspace(LinkLoads loads) {
    this.loads = loads;
    model = loads.model().another();
    contention = new ContentionCost(loads);
    bytesOfLevel = new double[model.links().levels()];
  }

  /** Starts over for a candidate with this traffic; the one before loses its tables. */
  void enter(IncrementalSeconds candidate, Traffic traffic) {
    current = candidate;
    model.footprint().start(traffic);
    contention.clear();
  }

  /** Ends the candidate that uses the tables, because the job of a slot changes. */
  void leave(int slot) {
    current = null;
    contention.forget(slot);
  }

  void requireCurrent(IncrementalSeconds candidate) {
    if (current != candidate) {
      throw new IllegalStateException(
          "a candidate must not be used any more once the loads beside it change, or another is");
    }
  }
}
