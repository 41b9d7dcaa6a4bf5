package io.github.liquidscheduler.simulator.metrics;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/** Gathers what {@link JctStatistics} are made of, job by job, in 16 bytes each. Mutable. */
public final class JctTally {

  private long[] completions = new long[64];
  private long[] queueings = new long[64];
  private int jobs;
  private Duration first = Duration.ZERO;
  private Duration last = Duration.ZERO;

  /**
   * Adds a job that has finished.
   *
   * @throws ArithmeticException if it took longer than 292 years
   */
  public void add(JobOutcome outcome) {
    Duration submit = outcome.job().submit();
    if (jobs == 0) {
      first = submit;
      last = outcome.end();
    }
    if (jobs == completions.length) {
      completions = Arrays.copyOf(completions, 2 * jobs);
      queueings = Arrays.copyOf(queueings, 2 * jobs);
    }
    completions[jobs] = outcome.completion().toNanos();
    queueings[jobs] = outcome.queueing().toNanos();
    jobs++;
    first = submit.compareTo(first) < 0 ? submit : first;
    last = outcome.end().compareTo(last) > 0 ? outcome.end() : last;
  }

  /** Returns the number of jobs added. */
  public int jobs() {
    return jobs;
  }

  /** Returns the statistics of the jobs added so far, or empty if there are none. */
  public Optional<JctStatistics> statistics() {
    return jobs == 0
        ? Optional.empty()
        : Optional.of(
            new JctStatistics(
                DurationDistribution.ofNanos(Arrays.copyOf(completions, jobs)),
                DurationDistribution.ofNanos(Arrays.copyOf(queueings, jobs)),
                last.minus(first)));
  }
}
