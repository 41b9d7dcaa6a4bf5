package io.github.liquidscheduler.estimator.interference;

import io.github.liquidscheduler.prediction.LearnedState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Compares the errors of recent predictions with the error that the model promised. Not
 * thread-safe.
 */
final class DriftDetector {
  private static final int WINDOW = 64;
  private static final int LEAST = 20;
  private static final double TOLERANCE = 1.5;
  static final String LEARNED_STATE = "errors";

  private final double promisedError;
  private final double[] errors = new double[WINDOW];
  private int count;

  /** Creates a detector against the 90 % quantile of absolute errors on held-out data. */
  DriftDetector(double promisedError) {
    this.promisedError = promisedError;
  }

  /** Returns how many errors were seen, and the last of them. */
  List<LearnedState> saveState() {
    if (count == 0) {
      return List.of();
    }
    List<Double> numbers = new ArrayList<>();
    numbers.add((double) count);
    Arrays.stream(errors, 0, Math.min(count, WINDOW)).forEach(numbers::add);
    return List.of(new LearnedState(LEARNED_STATE, List.of(), numbers));
  }

  void forget() {
    count = 0;
  }

  void restoreState(LearnedState learnedState) {
    int seen = learnedState.count(0);
    List<Double> last = learnedState.requires(0, 1 + Math.min(seen, WINDOW)).numbers();
    for (int i = 1; i < last.size(); i++) {
      errors[i - 1] = last.get(i);
    }
    count = seen;
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
