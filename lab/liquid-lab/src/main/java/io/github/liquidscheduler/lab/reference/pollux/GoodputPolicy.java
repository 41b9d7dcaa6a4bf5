package io.github.liquidscheduler.lab.reference.pollux;

import java.util.List;
import java.util.Map;

/** Decides which GPUs each job holds until the next decision. For one run: it may remember. */
interface GoodputPolicy {

  /** Returns whether jobs choose their batch sizes themselves, instead of their users. */
  default boolean adaptsBatchSizes() {
    return false;
  }

  /**
   * Returns the GPUs of each job that shall run.
   *
   * @param jobs those that have arrived and not ended, in the order of the workload
   * @param now the time in seconds
   */
  Map<GoodputProgress, NodeAllocation> allocate(List<GoodputProgress> jobs, long now);
}
