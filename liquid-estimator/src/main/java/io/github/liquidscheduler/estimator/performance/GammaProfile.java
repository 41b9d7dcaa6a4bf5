package io.github.liquidscheduler.estimator.performance;

import io.github.liquidscheduler.prediction.ThroughputModel;
import io.github.liquidscheduler.prediction.ThroughputModel.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.hipparchus.analysis.UnivariateFunction;
import org.hipparchus.optim.MaxEval;
import org.hipparchus.optim.nonlinear.scalar.GoalType;
import org.hipparchus.optim.univariate.BrentOptimizer;
import org.hipparchus.optim.univariate.SearchInterval;
import org.hipparchus.optim.univariate.UnivariateObjectiveFunction;

/**
 * Models for which only gamma is searched. Given gamma, the time to compute is a line through the
 * times of one GPU; what it leaves of the others, {@code (T^gamma - C^gamma)^(1/gamma)}, is the
 * time to synchronise, and a line as well. Both are {@linkplain LineFit linear least squares},
 * which miss no minimum; so what is left to search is one bounded number (variable projection).
 *
 * <p>Points without noise that tell all numbers are met exactly at their gamma. Other points are
 * met well enough for a search over all numbers to start from.
 */
final class GammaProfile {
  private static final double[] GRID = {
    1, 1.02, 1.05, 1.1, 1.2, 1.35, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9, 9.5, 10
  };
  private static final double TOLERANCE = 1e-10;
  private static final int MOST_EVALUATIONS = 200;

  private final List<ThroughputPoint> points;
  private final Line computing;

  GammaProfile(List<ThroughputPoint> points) {
    this.points = points;
    computing = computing(points);
  }

  /**
   * Without a time of one GPU all times are taken to be of computing alone. Of one batch size, half
   * the time does not depend on it.
   */
  private static Line computing(List<ThroughputPoint> points) {
    boolean anyAlone = points.stream().anyMatch(point -> point.replicas().gpus() == 1);
    List<ThroughputPoint> alone =
        points.stream().filter(point -> !anyAlone || point.replicas().gpus() == 1).toList();
    LineFit fit = new LineFit();
    for (ThroughputPoint point : alone) {
      fit.add(point.localBatch(), point.seconds(), 1 / square(point.seconds()));
    }
    double batch = alone.getFirst().localBatch();
    if (alone.stream().anyMatch(point -> point.localBatch() != batch)) {
      return fit.line();
    }
    double half = fit.line().constant() / 2;
    return new Line(half, half / batch);
  }

  /** Returns a model for each gamma that misses the points less than those near it, in order. */
  List<ThroughputModel> best() {
    double[] errors = IntStream.range(0, GRID.length).mapToDouble(i -> error(GRID[i])).toArray();
    List<ThroughputModel> best = new ArrayList<>();
    for (int i = 0; i < GRID.length; i++) {
      boolean belowBefore = i == 0 || errors[i] < errors[i - 1];
      boolean belowNext = i == GRID.length - 1 || errors[i] <= errors[i + 1];
      if (belowBefore && belowNext) {
        best.add(model(refined(i, errors[i])));
      }
    }
    return best;
  }

  private double refined(int at, double error) {
    double low = GRID[Math.max(0, at - 1)];
    double high = GRID[Math.min(GRID.length - 1, at + 1)];
    UnivariateFunction objective = this::error;
    double found =
        new BrentOptimizer(TOLERANCE, TOLERANCE)
            .optimize(
                new MaxEval(MOST_EVALUATIONS),
                GoalType.MINIMIZE,
                new UnivariateObjectiveFunction(objective),
                new SearchInterval(low, high))
            .getPoint();
    return error(found) < error ? found : GRID[at];
  }

  private double error(double gamma) {
    return ThroughputFit.error(model(gamma), points);
  }

  private ThroughputModel model(double gamma) {
    Line within = synchronising(ThroughputPoint::isWithinNode, gamma);
    Line across = synchronising(ThroughputPoint::isAcrossNodes, gamma);
    Line least = within.times(FitParameters.ACROSS_NODES);
    Line larger =
        new Line(
            Math.max(across.constant(), least.constant()), Math.max(across.slope(), least.slope()));
    return new ThroughputModel(computing, within, larger, gamma);
  }

  private Line synchronising(Predicate<ThroughputPoint> kind, double gamma) {
    LineFit fit = new LineFit();
    points.stream().filter(kind).forEach(point -> add(point, gamma, fit));
    return fit.line();
  }

  /**
   * Adds what computing leaves of a time. It counts as much as it changes the logarithm of the
   * time: what computing hides says little.
   */
  private void add(ThroughputPoint point, double gamma, LineFit fit) {
    double computed = computing.at(point.localBatch()) / point.seconds();
    double left = Math.max(0, 1 - Math.pow(computed, gamma));
    double seconds = point.seconds() * Math.pow(left, 1 / gamma);
    if (seconds > 0) {
      fit.add(point.replicas().gpus() - 2, seconds, square(left / seconds));
    }
  }

  private static double square(double value) {
    return value * value;
  }
}
