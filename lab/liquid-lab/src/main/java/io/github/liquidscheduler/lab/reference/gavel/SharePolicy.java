package io.github.liquidscheduler.lab.reference.gavel;

import java.util.List;

/** Divides the time of the GPUs among jobs, or among jobs and pairs of them. */
interface SharePolicy {

  /** Returns whether a job without a share of a GPU model never runs there. */
  default boolean runsOnlyShares() {
    return false;
  }

  /** Returns whether pairs of jobs may share GPUs. */
  default boolean pairsJobs() {
    return false;
  }

  /**
   * Returns the share of its time that each combination shall run on each GPU model, from 0 to 1.
   *
   * @param combinations the unfinished jobs, in the order of their arrival; if jobs are paired,
   *     each is followed by its pairs with those before
   * @param gpus the number of GPUs of each model, in the order of the jobs' speeds
   * @return the shares, by the position of the combination, then of the GPU model
   */
  double[][] shares(List<Combination> combinations, int[] gpus);
}
