package io.github.liquidscheduler.runtime.forecast;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * A distribution of run times, estimated from observed spans. A span begins when observation began
 * and ends with the job, or with the present while it still runs. Running jobs count as possible
 * lengths (right censoring), since omitting them would make long jobs look rare: the Nelson-Aalen
 * estimate of the hazard with delayed entry.
 *
 * <p>Beyond the longest known length, a job doubles its run time with probability one half.
 * Immutable.
 */
final class RunTimeDistribution {

  /** The relative difference up to which lengths are equal. */
  private static final double SAME = 1e-6;

  private static final Comparator<Span> BY_END =
      Comparator.comparingDouble(Span::to).thenComparing(span -> !span.isEnded());

  /** Lengths at which jobs ended, ascending. */
  private final double[] lengths;

  /** The cumulative hazard at each length. */
  private final double[] hazards;

  private final double longest;

  /**
   * An observed part of a run.
   *
   * @param from the run time when observation began, at least 0
   * @param to the run time at the end or when last observed, at least {@code from}
   * @param isEnded whether the job ended then
   */
  record Span(double from, double to, boolean isEnded) {}

  RunTimeDistribution(List<Span> spans) {
    List<Span> byEnd = spans.stream().sorted(BY_END).toList();
    double[] begins = spans.stream().mapToDouble(Span::from).sorted().toArray();
    lengths = byEnd.stream().filter(Span::isEnded).mapToDouble(Span::to).toArray();
    hazards = new double[lengths.length];
    longest = byEnd.isEmpty() ? 0 : byEnd.getLast().to();
    double hazard = 0;
    int begun = 0;
    int ends = 0;
    for (int gone = 0; gone < byEnd.size(); gone++) {
      Span span = byEnd.get(gone);
      while (begun < begins.length && begins[begun] < span.to()) {
        begun++;
      }
      if (span.isEnded()) {
        hazard += 1.0 / Math.max(1, begun - gone);
        hazards[ends++] = hazard;
      }
    }
  }

  /** Returns true if no job was observed to end. */
  boolean isEmpty() {
    return lengths.length == 0;
  }

  /** Returns true if all jobs ended at a length of one and none runs longer. */
  boolean isOne() {
    return !isEmpty() && lengths[0] > 1 - SAME && longest < 1 + SAME;
  }

  /**
   * Returns a total run time, given the time run so far; at least one end must have been observed.
   *
   * @param lasted the time run so far
   * @param quantile the quantile of the possible lengths, in (0, 1)
   */
  double given(double lasted, double quantile) {
    int known = firstAbove(lengths, lasted);
    double before = known == 0 ? 0 : hazards[known - 1];
    double wanted = before - StrictMath.log(1 - quantile);
    int found = firstNotBelow(hazards, wanted);
    if (found < lengths.length) {
      return lengths[found];
    }
    double reached = Math.max(lasted, lengths[lengths.length - 1]);
    return reached * StrictMath.exp(wanted - hazards[hazards.length - 1]);
  }

  private static int firstAbove(double[] values, double value) {
    return firstNotBelow(values, Math.nextUp(value));
  }

  private static int firstNotBelow(double[] values, double value) {
    int found = Arrays.binarySearch(values, value);
    while (found > 0 && values[found - 1] == value) {
      found--;
    }
    return found < 0 ? -found - 1 : found;
  }
}
