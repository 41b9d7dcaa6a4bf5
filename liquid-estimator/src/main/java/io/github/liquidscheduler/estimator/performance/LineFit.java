package io.github.liquidscheduler.estimator.performance;

import io.github.liquidscheduler.prediction.ThroughputModel.Line;

/**
 * The line with no negative number that is nearest to weighted points. With two numbers,
 * non-negative least squares are those of both, or else the better of those of one alone.
 */
final class LineFit {
  private static final double SINGULAR = 1e-12;

  private double weight;
  private double weightX;
  private double weightXx;
  private double weightY;
  private double weightXy;

  /**
   * Adds a point.
   *
   * @param share how much the square of its distance counts
   */
  void add(double x, double y, double share) {
    weight += share;
    weightX += share * x;
    weightXx += share * x * x;
    weightY += share * y;
    weightXy += share * x * y;
  }

  /** Returns the line; of points at one place only, that with no slope. */
  Line line() {
    if (weight == 0) {
      return Line.ZERO;
    }
    double determinant = weight * weightXx - weightX * weightX;
    if (determinant <= SINGULAR * weight * weightXx) {
      return new Line(weightY / weight, 0);
    }
    double constant = (weightXx * weightY - weightX * weightXy) / determinant;
    double slope = (weight * weightXy - weightX * weightY) / determinant;
    return constant >= 0 && slope >= 0 ? new Line(constant, slope) : alone();
  }

  /** What squares lose by a single number is the square of its share in the heights. */
  private Line alone() {
    double byConstant = weightY * weightY / weight;
    double bySlope = weightXy * weightXy / weightXx;
    return byConstant >= bySlope ? new Line(weightY / weight, 0) : new Line(0, weightXy / weightXx);
  }
}
