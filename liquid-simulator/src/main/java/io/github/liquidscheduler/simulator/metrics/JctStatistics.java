package io.github.liquidscheduler.simulator.metrics;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;

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
    return new JctStatistics(
        DurationDistribution.of(outcomes.stream().map(JobOutcome::completion).toList()),
        DurationDistribution.of(outcomes.stream().map(JobOutcome::queueing).toList()),
        makespanOf(outcomes));
  }

  private static Duration makespanOf(Collection<JobOutcome> outcomes) {
    Comparator<Duration> order = Comparator.naturalOrder();
    Duration first =
        outcomes.stream().map(outcome -> outcome.job().submit()).min(order).orElseThrow();
    Duration last = outcomes.stream().map(JobOutcome::end).max(order).orElseThrow();
    return last.minus(first);
  }
}
