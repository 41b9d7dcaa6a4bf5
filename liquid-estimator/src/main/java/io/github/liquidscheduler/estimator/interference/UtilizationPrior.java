package io.github.liquidscheduler.estimator.interference;

/**
 * The retained speed that utilisation alone suggests, for want of anything learned: what pairs on a
 * consumer GPU kept on average, by the sum of their utilisations. Never rises with load. A
 * utilisation that nobody knows counts as high, which leads to the safe choice.
 */
final class UtilizationPrior {
  private static final double UNKNOWN_UTILIZATION = 0.9;
  private static final double[] LOAD = {0, 0.55, 0.85, 1.15, 1.45, 1.8, 2};
  private static final double[] SPEED = {1, 0.985, 0.963, 0.918, 0.82, 0.711, 0.65};

  /** The 90 % error where both utilisations are known, and where they are not. */
  static final double ERROR = 0.2;

  static final double BLIND_ERROR = 0.35;

  private UtilizationPrior() {}

  static double retainedSpeed(double victimUtilization, double otherUtilization) {
    double load = known(victimUtilization) + known(otherUtilization);
    int above = 1;
    while (above < LOAD.length - 1 && LOAD[above] < load) {
      above++;
    }
    double part = (load - LOAD[above - 1]) / (LOAD[above] - LOAD[above - 1]);
    return SPEED[above - 1] + part * (SPEED[above] - SPEED[above - 1]);
  }

  static double error(double victimUtilization, double otherUtilization) {
    return isBlind(victimUtilization, otherUtilization) ? BLIND_ERROR : ERROR;
  }

  /** Returns true if a utilisation is not known. */
  static boolean isBlind(double victimUtilization, double otherUtilization) {
    return Double.isNaN(victimUtilization) || Double.isNaN(otherUtilization);
  }

  private static double known(double utilization) {
    return Double.isNaN(utilization) ? UNKNOWN_UTILIZATION : utilization;
  }
}
