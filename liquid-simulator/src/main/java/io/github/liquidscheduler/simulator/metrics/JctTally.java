package io.github.liquidscheduler.simulator.metrics;

import com.google.common.collect.Range;
import com.google.common.primitives.ImmutableLongArray;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Gathers what {@link JctStatistics} are made of, job by job, in 16 bytes each. Mutable. */
public final class JctTally {

  private final ImmutableLongArray.Builder completions = ImmutableLongArray.builder();
  private final ImmutableLongArray.Builder queueings = ImmutableLongArray.builder();
  private int jobs;
  private @Nullable Range<Duration> span;

  /**
   * Adds a job that has finished.
   *
   * @throws ArithmeticException if it took longer than 292 years
   */
  public void add(JobOutcome outcome) {
    Range<Duration> own = Range.closed(outcome.job().submit(), outcome.end());
    span = span == null ? own : span.span(own);
    completions.add(outcome.completion().toNanos());
    queueings.add(outcome.queueing().toNanos());
    jobs++;
  }

  /** Returns the number of jobs added. */
  public int jobs() {
    return jobs;
  }

  /** Returns the statistics of the jobs added so far, or empty if there are none. */
  public Optional<JctStatistics> statistics() {
    return Optional.ofNullable(span)
        .map(
            time ->
                new JctStatistics(
                    DurationDistribution.ofNanos(completions.build().toArray()),
                    DurationDistribution.ofNanos(queueings.build().toArray()),
                    time.upperEndpoint().minus(time.lowerEndpoint())));
  }
}
