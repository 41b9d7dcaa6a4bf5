package io.github.liquidscheduler.simulator.calibration;

import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;
import org.hipparchus.optim.nonlinear.vector.leastsquares.LeastSquaresBuilder;
import org.hipparchus.optim.nonlinear.vector.leastsquares.LevenbergMarquardtOptimizer;
import org.hipparchus.optim.nonlinear.vector.leastsquares.MultivariateJacobianFunction;
import org.hipparchus.util.Pair;

/** Non-linear least squares by Levenberg and Marquardt, with derivatives by central differences. */
final class LeastSquares {

  /** Wide enough that times rounded to nanoseconds still differ. */
  private static final double STEP = 0.01;

  private static final int MOST_EVALUATIONS = 200;
  private static final double TOLERANCE = 1e-7;

  private LeastSquares() {}

  /**
   * Returns the parameters, near {@code start}, with the least sum of squared residuals.
   *
   * @param residuals the residuals as a function of the parameters
   */
  static double[] minimum(UnaryOperator<double[]> residuals, double[] start) {
    int size = residuals.apply(start).length;
    MultivariateJacobianFunction model = point -> value(residuals, point.toArray());
    LevenbergMarquardtOptimizer optimizer =
        new LevenbergMarquardtOptimizer()
            .withCostRelativeTolerance(TOLERANCE)
            .withParameterRelativeTolerance(TOLERANCE);
    return optimizer
        .optimize(
            new LeastSquaresBuilder()
                .start(start)
                .model(model)
                .target(new double[size])
                .maxEvaluations(MOST_EVALUATIONS)
                .maxIterations(MOST_EVALUATIONS)
                .build())
        .getPoint()
        .toArray();
  }

  private static Pair<RealVector, RealMatrix> value(
      UnaryOperator<double[]> residuals, double[] point) {
    double[] value = residuals.apply(point);
    double[][] jacobian = new double[value.length][point.length];
    for (int parameter = 0; parameter < point.length; parameter++) {
      double[] above = residuals.apply(moved(point, parameter, STEP));
      double[] below = residuals.apply(moved(point, parameter, -STEP));
      for (int row = 0; row < value.length; row++) {
        jacobian[row][parameter] = (above[row] - below[row]) / (2 * STEP);
      }
    }
    return new Pair<>(new ArrayRealVector(value, false), new Array2DRowRealMatrix(jacobian, false));
  }

  private static double[] moved(double[] point, int parameter, double step) {
    double[] moved = Arrays.copyOf(point, point.length);
    moved[parameter] += step;
    return moved;
  }
}
