package io.github.liquidscheduler.lab.published.elastic;

import io.github.liquidscheduler.lab.published.Spread;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The average completion times of a policy, or a lower bound on them, beside those of a baseline.
 *
 * @param name what it is called
 * @param seconds the average of each seed
 * @param baseline the same of the baseline
 * @param resizes changes of size for each job; 0 for a bound
 * @param preemptions the same of pre-emptions
 */
public record ComparedAverage(
    String name, List<Double> seconds, List<Double> baseline, double resizes, double preemptions) {

  /**
   * Copies the lists.
   *
   * @throws IllegalArgumentException if there is no seed, or the lists differ in length
   */
  public ComparedAverage {
    seconds = List.copyOf(seconds);
    baseline = List.copyOf(baseline);
    if (seconds.isEmpty() || seconds.size() != baseline.size()) {
      throw new IllegalArgumentException(
          "there must be as many averages as of the baseline, and one at least, but there were %d"
                  .formatted(seconds.size())
              + " and "
              + baseline.size());
    }
  }

  /** Returns the average over all jobs of all seeds, in seconds. */
  public double average() {
    return Spread.of(seconds).mean();
  }

  /** Returns by which part of the baseline's average it is less; negative if it is more. */
  public double saved() {
    return 1 - average() / Spread.of(baseline).mean();
  }

  /** Returns the spread of the same over the seeds, each by itself. */
  public Spread savedBySeed() {
    return Spread.of(
        IntStream.range(0, seconds.size())
            .mapToObj(seed -> 1 - seconds.get(seed) / baseline.get(seed))
            .toList());
  }
}
