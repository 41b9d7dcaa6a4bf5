package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.simulator.SimulatedJob.State;
import io.github.liquidscheduler.simulator.conditions.RequestModel;
import java.util.List;

/** Keeps the requests of waiting jobs up to date with what the request model has learned. */
record RequestUpdates(RequestModel model, SimulatedJobs jobs) {
  /** Returns the waiting jobs whose requests may differ since {@code other} stopped. */
  List<SimulatedJob> mayDiffer(SimulatedJob other) {
    if (model.equals(RequestModel.AS_DESCRIBED)) {
      return List.of();
    }
    return jobs.inSystem().stream()
        .filter(RequestUpdates::mayResubmit)
        .filter(job -> model.mayDiffer(other.job(), job.job()))
        .toList();
  }

  /** Updates the requests of a waiting job; returns true if they differ. */
  boolean resubmit(SimulatedJob job) {
    if (!mayResubmit(job)) {
      return false;
    }
    JobSpec before = job.spec();
    job.update(model.submit(job.job(), job.described()));
    return !job.spec().equals(before);
  }

  /** A job that was killed keeps its raised requests. */
  private static boolean mayResubmit(SimulatedJob job) {
    return job.state() == State.WAITING && job.failures() == 0;
  }
}
