package io.github.liquidscheduler.estimator.interference;

import java.util.Arrays;

/**
 * Compares the errors of recent predictions with the error that the model promised. Not
 * thread-safe.
 */
final class DriftDetector {
  private static final int WINDOW = 64;
  private static final int LEAST = 20;
  private static final double TOLERANCE = 1.5;

  private final double promisedError;
  private final double[] errors = new double[WINDOW];
  private int count;

  /** Creates a detector against the 90 % quantile of absolute errors on held-out data. */
  DriftDetector(double promisedError) {
    this.promisedError = promisedError;
  }

  void add(double error) {
    errors[count % WINDOW] = Math.abs(error);
    count++;
  }

  /** Returns whether recent errors are clearly larger than promised. */
  boolean isDrifting() {
    return count >= LEAST && recentQuantile() > TOLERANCE * promisedError;
  }

  /** Returns what intervals must be widened by: 1, or more while drifting. */
  double widening() {
    return isDrifting() ? recentQuantile() / promisedError : 1;
  }

  private double recentQuantile() {
    int size = Math.min(count, WINDOW);
    double[] sorted = Arrays.copyOf(errors, size);
    Arrays.sort(sorted);
    return sorted[Math.min(size - 1, (int) Math.ceil(0.9 * (size + 1)) - 1)];
  }
}
