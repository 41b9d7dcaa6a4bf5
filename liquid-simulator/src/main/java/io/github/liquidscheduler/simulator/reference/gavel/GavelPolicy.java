package io.github.liquidscheduler.simulator.reference.gavel;

import java.util.List;

/** Divides the time of the GPUs among jobs. */
interface GavelPolicy {

  /** Returns whether a job without a share of a GPU model never runs there. */
  boolean runsOnlyShares();

  /**
   * Returns the share of its time that each job shall run on each GPU model, from 0 to 1.
   *
   * @param jobs the unfinished jobs, in the order of their arrival
   * @param gpus the number of GPUs of each model, in the order of the jobs' speeds
   * @return the shares, by the position of the job, then of the GPU model
   */
  double[][] shares(List<GavelJob> jobs, int[] gpus);
}
