package io.github.liquidscheduler.estimator.performance;

import io.github.liquidscheduler.prediction.ThroughputModel;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.hipparchus.linear.RealVector;
import org.hipparchus.optim.nonlinear.vector.leastsquares.LeastSquaresBuilder;
import org.hipparchus.optim.nonlinear.vector.leastsquares.LeastSquaresProblem;
import org.hipparchus.optim.nonlinear.vector.leastsquares.LevenbergMarquardtOptimizer;

/**
 * Fits a {@link ThroughputModel} to measured points, as Pollux does (OSDI 2021, section 4.1): what
 * is least is the root of the mean squared logarithm of predicted by measured time, plus {@code
 * 1e-3 (gamma - 1)²} and {@code 1e-2} times the squares of slope by constant of both times to
 * synchronise.
 *
 * <p>A root is no sum of squares, so a few sums are minimised one after the other (Levenberg and
 * Marquardt), each with weights that make its minimum that of the root near the one before. The
 * best of several starts counts: three that any points have, and those of a {@link GammaProfile},
 * which is taken as it is if it meets all points. The same points give the same model.
 */
public final class ThroughputFit {
  private static final double[] GAMMAS = {1.2, 2, 5};
  private static final int ROUNDS = 4;
  private static final int MOST_ITERATIONS = 150;
  private static final double TOLERANCE = 1e-12;
  private static final double FIRST_WEIGHT = 0.02;

  /** Points that can be met as well as this have no noise: they decide all that they tell of. */
  private static final double EXACT = 1e-3;

  /** Points that are met as well as this are all met by the same numbers. */
  private static final double MET = 1e-6;

  private static final double EXACT_WEIGHT = 1e-8;

  private ThroughputFit() {}

  /**
   * Returns the model that misses the points least.
   *
   * @throws IllegalArgumentException if there is no point
   */
  public static ThroughputModel of(List<ThroughputPoint> points) {
    if (points.isEmpty()) {
      throw new IllegalArgumentException("a throughput model needs at least one point");
    }
    List<ThroughputModel> profile = new GammaProfile(points).best();
    return profile.stream()
        .filter(model -> error(model, points) < MET)
        .findFirst()
        .orElseGet(() -> nearest(profile, points));
  }

  private static ThroughputModel nearest(
      List<ThroughputModel> profile, List<ThroughputPoint> points) {
    int[] free = FitParameters.free(points);
    Stream<double[]> guessed =
        Arrays.stream(GAMMAS).mapToObj(gamma -> FitParameters.start(points, free, gamma));
    Stream<double[]> profiled =
        profile.stream().map(model -> FitParameters.start(model, points, free));
    return Stream.concat(guessed, profiled)
        .map(start -> from(start, points, free))
        .min(Comparator.comparingDouble(model -> error(model, points)))
        .orElseThrow();
  }

  /** Returns the root of the mean squared logarithm of predicted by measured time. */
  public static double error(ThroughputModel model, List<ThroughputPoint> points) {
    return FitResiduals.rootMeanSquare(model, points);
  }

  private static ThroughputModel from(double[] start, List<ThroughputPoint> points, int[] free) {
    double[] parameters = start;
    double weight = FIRST_WEIGHT;
    for (int round = 0; round < ROUNDS; round++) {
      parameters = minimum(parameters, new FitResiduals(points, free, parameters, weight), free);
      weight = 2 * error(FitParameters.model(parameters), points);
    }
    double[] closest =
        minimum(parameters, new FitResiduals(points, free, parameters, EXACT_WEIGHT), free);
    ThroughputModel exact = FitParameters.model(closest);
    if (error(exact, points) < EXACT) {
      return exact;
    }
    return FitParameters.model(parameters);
  }

  private static double[] minimum(double[] start, FitResiduals residuals, int[] free) {
    double[] varied = new double[free.length];
    for (int i = 0; i < free.length; i++) {
      varied[i] = start[free[i]];
    }
    int rows = residuals.size();
    LeastSquaresProblem problem =
        new LeastSquaresBuilder()
            .start(varied)
            .model(residuals)
            .target(new double[rows])
            .checker((iteration, before, now) -> iteration >= MOST_ITERATIONS)
            .maxEvaluations(Integer.MAX_VALUE)
            .maxIterations(Integer.MAX_VALUE)
            .build();
    RealVector found =
        new LevenbergMarquardtOptimizer()
            .withCostRelativeTolerance(TOLERANCE)
            .withParameterRelativeTolerance(TOLERANCE)
            .optimize(problem)
            .getPoint();
    double[] parameters = start.clone();
    for (int i = 0; i < free.length; i++) {
      parameters[free[i]] = found.getEntry(i);
    }
    return parameters;
  }
}
