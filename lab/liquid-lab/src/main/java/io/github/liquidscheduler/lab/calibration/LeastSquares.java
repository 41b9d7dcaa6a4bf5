package io.github.liquidscheduler.lab.calibration;

import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;
import org.hipparchus.optim.nonlinear.vector.leastsquares.LeastSquaresBuilder;
import org.hipparchus.optim.nonlinear.vector.leastsquares.LevenbergMarquardtOptimizer;
import org.hipparchus.optim.nonlinear.vector.leastsquares.ValueAndJacobianFunction;
import org.hipparchus.util.Pair;

/**
 * Non-linear least squares by Levenberg and Marquardt, with derivatives by central differences.
 *
 * @param step how far parameters are moved for a derivative; wide enough that residuals differ
 * @param iterations after as many, the best parameters so far are returned
 */
public record LeastSquares(double step, int iterations) {

  private static final double TOLERANCE = 1e-7;

  /** Checks the numbers. */
  public LeastSquares {
    if (!(step > 0) || iterations < 1) {
      throw new IllegalArgumentException(
          "a fit needs a step above 0 and at least 1 iteration, but had %s and %d"
              .formatted(step, iterations));
    }
  }

  /**
   * Returns the parameters, near {@code start}, with the least sum of squared residuals.
   *
   * @param residuals the residuals as a function of the parameters
   */
  public double[] minimum(UnaryOperator<double[]> residuals, double[] start) {
    LevenbergMarquardtOptimizer optimizer =
        new LevenbergMarquardtOptimizer()
            .withCostRelativeTolerance(TOLERANCE)
            .withParameterRelativeTolerance(TOLERANCE);
    return optimizer
        .optimize(
            new LeastSquaresBuilder()
                .start(start)
                .model(new Model(residuals, step))
                .lazyEvaluation(true)
                .target(new double[residuals.apply(start).length])
                .checker((iteration, previous, current) -> iteration >= iterations)
                .maxEvaluations(Integer.MAX_VALUE)
                .maxIterations(Integer.MAX_VALUE)
                .build())
        .getPoint()
        .toArray();
  }

  /** Residuals and, where they are needed, derivatives. */
  private record Model(UnaryOperator<double[]> residuals, double step)
      implements ValueAndJacobianFunction {

    @Override
    public Pair<RealVector, RealMatrix> value(RealVector point) {
      double[] at = point.toArray();
      return new Pair<>(computeValue(at), computeJacobian(at));
    }

    @Override
    public RealVector computeValue(double[] point) {
      return new ArrayRealVector(residuals.apply(point), false);
    }

    @Override
    public RealMatrix computeJacobian(double[] point) {
      double[][] columns = new double[point.length][];
      for (int parameter = 0; parameter < point.length; parameter++) {
        RealVector above = computeValue(moved(point, parameter, step));
        RealVector below = computeValue(moved(point, parameter, -step));
        columns[parameter] = above.subtract(below).mapDivide(2 * step).toArray();
      }
      return new Array2DRowRealMatrix(columns, false).transpose();
    }
  }

  private static double[] moved(double[] point, int parameter, double step) {
    double[] moved = Arrays.copyOf(point, point.length);
    moved[parameter] += step;
    return moved;
  }
}
