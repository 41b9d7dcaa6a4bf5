package io.github.liquidscheduler.lab.reference;

import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.metrics.JctStatistics;
import io.github.liquidscheduler.simulator.metrics.JobOutcome;
import java.util.List;

/**
 * What a reference simulator made of a trace.
 *
 * @param policy the name of the policy
 * @param gpus the number of GPUs of the cluster
 * @param outcomes what became of each job, in the order of the trace; at least one
 * @param decisionsDigest the SHA-256, in hexadecimal, of all starts, pre-emptions and ends with
 *     their times, by which runs that did the same are known
 */
public record ReferenceRun(
    String policy, int gpus, List<JobOutcome> outcomes, String decisionsDigest) {

  /** Copies the outcomes. */
  public ReferenceRun {
    outcomes = List.copyOf(outcomes);
  }

  /** Returns the completion times, queueing times and makespan. Sorts, so keep the result. */
  public JctStatistics statistics() {
    return JctStatistics.of(outcomes);
  }

  /** Returns how often jobs were stopped before they were done, all together. */
  public long preemptions() {
    return result().counts().preemptions();
  }

  /**
   * Returns the share of the GPU time between the first submission and the last end that jobs held,
   * from 0 to 1; 0 if that time is empty.
   */
  public double utilization() {
    return result().usage().utilization();
  }

  /** Returns the run in the form of a simulation. */
  public SimulationResult result() {
    return SimulationResult.finished(outcomes, gpus, decisionsDigest);
  }
}
