package io.github.liquidscheduler.prediction;

import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.resource.GpuModel;

/**
 * The observations from the reports of running jobs. Placers, planners and predictors read it; only
 * the scheduler that owns it makes a newer one. Immutable, so that it may be read on any thread,
 * and the same object always means the same knowledge.
 */
public interface Observations {

  /** Nothing was observed. */
  Observations NONE = new Observations() {};

  /** Returns the learned state of the interference predictor. */
  default PredictorState interference() {
    return PredictorState.NONE;
  }

  /**
   * Returns true if two workloads must not share a GPU, because they were measured to retain too
   * little speed when they did.
   *
   * @param victim the workload that is slowed down
   * @param coRunner the workload beside it
   * @param gpu the GPU model, by the name that predictors know it by
   * @param floor the retained speed that the victim was promised, from 0 to 1
   */
  default boolean isBanned(Workload victim, Workload coRunner, GpuModel gpu, double floor) {
    return false;
  }
}
