package io.github.liquidscheduler.lab.reference;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Ranks a job by how likely it is to end soon for the service that this would cost, given what it
 * has had and what other jobs needed until they ended.
 *
 * <p>For samples d in ascending order and attained service a, let i be the first index with d &gt;
 * a: jobs i, i + 1, … have not ended before. Within the next {@link #QUANTUM} those before k end.
 * The rank is (k - i) jobs ended, divided by the mean service they all take until then. It depends
 * on i alone, so there is one entry for each sample. Rounding is that of the original simulator.
 */
final class GittinsIndex {

  /** The service ahead that counts as soon: the first threshold of the queues. */
  static final long QUANTUM = 3250;

  private final long[] samples;
  private final double[] ranks;

  GittinsIndex(ServiceSamples serviceSamples) {
    samples = serviceSamples.ascending();
    ranks = new double[samples.length];
    long[] sums = new long[samples.length + 1];
    for (int i = 0; i < samples.length; i++) {
      sums[i + 1] = sums[i] + samples[i];
    }
    for (int entry = 0; entry < samples.length; entry++) {
      ranks[entry] = rankAfter(samples[entry] - 1, sums);
    }
  }

  /** Returns the rank of a job that has attained {@code service}; the highest goes first. */
  double rank(long service) {
    int next = firstAbove(service);
    return next < ranks.length ? ranks[next] : 0;
  }

  private double rankAfter(long service, long[] sums) {
    int n = samples.length;
    int i = firstAbove(service);
    int k = Math.min(firstAbove(service + QUANTUM), n - 1);
    double probability = rounded((double) (k - i) / (n - i), 5);
    long cost = (sums[k] - sums[i] + QUANTUM * (n - k)) / (n - i);
    return rounded(probability * 1e6 / cost, 4);
  }

  private int firstAbove(long service) {
    int low = 0;
    int high = samples.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (samples[middle] > service) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private static double rounded(double value, int digits) {
    return new BigDecimal(value).setScale(digits, RoundingMode.HALF_EVEN).doubleValue();
  }
}
