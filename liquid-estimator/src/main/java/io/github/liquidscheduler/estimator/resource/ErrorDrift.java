package io.github.liquidscheduler.estimator.resource;

/**
 * The drift of a target's errors beyond those on data held out: the mean of the last errors over
 * the error that the calibration promises. Until a quarter of the window is full it says nothing.
 */
final class ErrorDrift {
  private static final int WINDOW = 32;
  private static final double MOST = 5;
  private static final double LEAST_ERROR = 1e-3;

  private final double[] ratios = new double[WINDOW];
  private int seen;

  void record(double error, double promised) {
    ratios[seen % WINDOW] = error / Math.max(promised, LEAST_ERROR);
    seen++;
  }

  /** How much wider intervals must be, from 1 to {@value #MOST}. */
  double widening() {
    int count = Math.min(seen, WINDOW);
    if (count < WINDOW / 4) {
      return 1;
    }
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += ratios[i];
    }
    return Math.clamp(sum / count, 1, MOST);
  }
}
