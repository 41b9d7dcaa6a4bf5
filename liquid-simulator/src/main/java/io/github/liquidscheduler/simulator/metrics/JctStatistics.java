package io.github.liquidscheduler.simulator.metrics;

import java.time.Duration;
import java.util.Collection;

/**
 * The usual figures of a run: how long jobs took from submission to end, how long they existed
 * without running, and how long it all took from the first submission to the last end.
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
