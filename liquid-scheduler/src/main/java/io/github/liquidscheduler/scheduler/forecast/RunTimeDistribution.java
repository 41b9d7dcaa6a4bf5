package io.github.liquidscheduler.scheduler.forecast;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * How long jobs run, estimated from spans in which they were seen to run: a span begins where
 * watching began, and ends with the job, or with the present while it still runs. Who still runs
 * says that such lengths are possible, though none was seen to its end; leaving that out would take
 * long jobs for rare (Nelson and Aalen's estimate of the hazard, with delayed entry).
 *
 * <p>Beyond the longest known, a job that has lasted so long lasts twice as long with probability
 * one half. Immutable.
 */
final class RunTimeDistribution {

  /** Lengths that differ by no more than this part are the same. */
  private static final double SAME = 1e-6;

  private static final Comparator<Span> BY_END =
      Comparator.comparingDouble(Span::to).thenComparing(span -> !span.isEnded());

  /** Lengths at which jobs ended, in ascending order. */
  private final double[] lengths;

  /** The hazard up to each of them, itself included. */
  private final double[] hazards;

  private final double longest;

  /**
   * A part of a run that was watched.
   *
   * @param from how long the job had run when watching began, at least 0
   * @param to how long it had run when it ended or was last seen, at least {@code from}
   * @param isEnded whether it ended then
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

  /** Returns whether no job was seen to end. */
  boolean isEmpty() {
    return lengths.length == 0;
  }

  /** Returns whether all jobs ended at a length of one, and none runs beyond. */
  boolean isOne() {
    return !isEmpty() && lengths[0] > 1 - SAME && longest < 1 + SAME;
  }

  /**
   * Returns how long a job runs in all; there must have been an end.
   *
   * @param lasted how long it has run
   * @param quantile which of the possible lengths, in (0, 1), the shortest first
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
