package io.github.liquidscheduler.simulator.metrics;

import java.time.Duration;
import java.util.Collection;

/**
 * The usual figures of a run: how long jobs took, how long they waited, and how long it all took.
 *
 * @param completion the job completion times (JCT), from submission to end
 * @param queueing the times jobs existed without running
 * @param makespan from the first submission to the last end
 */
public record JctStatistics(
    DurationDistribution completion, DurationDistribution queueing, Duration makespan) {

  /**
   * Returns the statistics of a run.
   *
   * @throws IllegalArgumentException if there is no outcome
   */
  public static JctStatistics of(Collection<JobOutcome> outcomes) {
    JctTally tally = new JctTally();
    outcomes.forEach(tally::add);
    return tally
        .statistics()
        .orElseThrow(
            () -> new IllegalArgumentException("statistics need an outcome, but had none"));
  }
}
