package io.github.liquidscheduler.estimator.interference;

import io.github.liquidscheduler.prediction.LearnedState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Compares the errors of recent predictions with the error that the model promised. Immutable. */
final class DriftDetector {
  private static final int WINDOW = 64;
  private static final int LEAST = 20;
  private static final double TOLERANCE = 1.5;
  static final String LEARNED_STATE = "errors";

  private final double promisedError;
  private final double[] errors;
  private final int count;
  private final double recentQuantile;

  /** Creates a detector against the 90 % quantile of absolute errors on held-out data. */
  DriftDetector(double promisedError) {
    this(promisedError, new double[WINDOW], 0);
  }

  private DriftDetector(double promisedError, double[] errors, int count) {
    this.promisedError = promisedError;
    this.errors = errors;
    this.count = count;
    recentQuantile = count < LEAST ? 0 : quantile(Arrays.copyOf(errors, Math.min(count, WINDOW)));
  }

  /** Returns how many errors were seen, and the last of them. */
  List<LearnedState> save() {
    if (count == 0) {
      return List.of();
    }
    List<Double> numbers = new ArrayList<>();
    numbers.add((double) count);
    Arrays.stream(errors, 0, Math.min(count, WINDOW)).forEach(numbers::add);
    return List.of(new LearnedState(LEARNED_STATE, List.of(), numbers));
  }

  /** Returns the detector that has seen what was saved. */
  DriftDetector restored(LearnedState saved) {
    int seen = saved.count(0);
    List<Double> last = saved.requires(0, 1 + Math.min(seen, WINDOW)).numbers();
    double[] restored = new double[WINDOW];
    for (int i = 1; i < last.size(); i++) {
      restored[i - 1] = last.get(i);
    }
    return new DriftDetector(promisedError, restored, seen);
  }

  /** Returns the detector that has seen one more error. */
  DriftDetector plus(double error) {
    double[] more = errors.clone();
    more[count % WINDOW] = Math.abs(error);
    return new DriftDetector(promisedError, more, count + 1);
  }

  /** Returns whether recent errors are clearly larger than promised. */
  boolean isDrifting() {
    return count >= LEAST && recentQuantile > TOLERANCE * promisedError;
  }

  /** Returns what intervals must be widened by: 1, or more while drifting. */
  double widening() {
    return isDrifting() ? recentQuantile / promisedError : 1;
  }

  private static double quantile(double[] recent) {
    Arrays.sort(recent);
    return recent[Math.min(recent.length - 1, (int) Math.ceil(0.9 * (recent.length + 1)) - 1)];
  }
}
