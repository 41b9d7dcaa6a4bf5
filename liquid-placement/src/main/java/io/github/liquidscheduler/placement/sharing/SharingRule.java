package io.github.liquidscheduler.placement.sharing;

import java.util.List;

/**
 * Says which company a job may keep, and which it would best. It is asked about all candidates of a
 * decision at once. Share, memory and number of jobs have been checked before, and nobody has asked
 * to be alone. Deterministic: what it answers depends on the candidate, and on what was observed.
 */
public interface SharingRule {

  /** What a candidate costs that is not allowed. */
  double REFUSED = Double.POSITIVE_INFINITY;

  /** Returns the name, such as {@code damage}. */
  String name();

  /**
   * Writes what each candidate costs, at its position; {@link #REFUSED} if it is not allowed. Lower
   * is better.
   */
  void judge(List<SharedGpu> candidates, double[] costs);

  /** Returns what it costs to take a GPU that is still empty instead. */
  double costOfEmpty();
}
