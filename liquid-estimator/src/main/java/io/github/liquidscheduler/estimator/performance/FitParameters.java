package io.github.liquidscheduler.estimator.performance;

import io.github.liquidscheduler.prediction.ThroughputModel;
import io.github.liquidscheduler.prediction.ThroughputModel.Line;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The parameters of a {@link ThroughputModel} as a fit varies them, so that each may be any number:
 * the logarithms of times, and the log-odds of gamma between its bounds. Those across nodes are
 * what these take beyond {@value #ACROSS_NODES} times those within a node.
 *
 * <p>What no point tells of does not vary (the rules and the factor 1.1 are those of Pollux, OSDI
 * 2021, section 4.1 and the implementation beside it): a time that was never needed is 0, so that
 * the scheduler tries it; of one batch size, half the time does not depend on it.
 */
final class FitParameters {
  static final int COMPUTING = 0;
  static final int WITHIN = 2;
  static final int BEYOND = 4;
  static final int GAMMA = 6;
  static final int COUNT = 7;

  /** How many times as long synchronising takes across nodes, at least. */
  static final double ACROSS_NODES = 1.1;

  /** Wide enough for any time, and no step of a fit leads to 0 or infinity. */
  private static final double LARGEST = 40;

  private static final double MIDDLE_GAMMA = 2;

  /** Of the shortest time, or of gamma, so little that no prediction shows it. */
  private static final double SMALL = 1e-7;

  private static final double NEVER = Double.NEGATIVE_INFINITY;
  private static final double GAMMA_RANGE = ThroughputModel.MAX_GAMMA - 1;

  private FitParameters() {}

  /** Returns the indices of the parameters that vary. */
  static int[] free(List<ThroughputPoint> points) {
    boolean[] varies = {
      points.stream().mapToDouble(ThroughputPoint::localBatch).distinct().count() > 1,
      true,
      any(points, ThroughputPoint::isWithinNode),
      any(points, point -> point.isWithinNode() && point.replicas().gpus() > 2),
      any(points, ThroughputPoint::isAcrossNodes),
      any(points, point -> point.isAcrossNodes() && point.replicas().gpus() > 2),
      any(points, point -> point.replicas().gpus() > 1)
    };
    return IntStream.range(0, COUNT).filter(parameter -> varies[parameter]).toArray();
  }

  private static boolean any(List<ThroughputPoint> points, Predicate<ThroughputPoint> test) {
    return points.stream().anyMatch(test);
  }

  /**
   * Returns the start of a fit.
   *
   * @param gamma the gamma that it starts with, more than 1 and less than 10
   */
  static double[] start(List<ThroughputPoint> points, int[] free, double gamma) {
    double computing = shortest(points, point -> true);
    double within = shortest(points, ThroughputPoint::isWithinNode);
    double across = shortest(points, ThroughputPoint::isAcrossNodes);
    double batch = points.stream().mapToDouble(ThroughputPoint::localBatch).average().orElseThrow();
    double[] guess = {
      Math.log(computing / 2),
      Math.log(computing / 2 / batch),
      Math.log(within / 4),
      Math.log(within / 40),
      Math.log(across / 4),
      Math.log(across / 40),
      odds(gamma)
    };
    double[] start = {guess[COMPUTING], NEVER, NEVER, NEVER, NEVER, NEVER, NEVER};
    for (int parameter : free) {
      start[parameter] = guess[parameter];
    }
    return start;
  }

  private static double shortest(List<ThroughputPoint> points, Predicate<ThroughputPoint> test) {
    return points.stream()
        .filter(test)
        .mapToDouble(ThroughputPoint::seconds)
        .min()
        .orElse(Double.NaN);
  }

  /** Returns the parameters of a model; numbers of it that are 0 become very small ones. */
  static double[] start(ThroughputModel model, List<ThroughputPoint> points, int[] free) {
    double[] start = start(points, free, MIDDLE_GAMMA);
    Line within = model.withinNode();
    Line across = model.acrossNodes();
    double[] seconds = {
      model.computing().constant(),
      model.computing().slope(),
      within.constant(),
      within.slope(),
      across.constant() - ACROSS_NODES * within.constant(),
      across.slope() - ACROSS_NODES * within.slope()
    };
    double least = SMALL * shortest(points, point -> true);
    for (int parameter : free) {
      start[parameter] =
          parameter == GAMMA
              ? odds(Math.clamp(model.gamma(), 1 + SMALL, ThroughputModel.MAX_GAMMA - SMALL))
              : Math.log(Math.max(least, seconds[parameter]));
    }
    return start;
  }

  private static double odds(double gamma) {
    return Math.log((gamma - 1) / (ThroughputModel.MAX_GAMMA - gamma));
  }

  /** Returns the model that all parameters, varying or not, stand for. */
  static ThroughputModel model(double[] parameters) {
    Line within = line(parameters, WITHIN);
    Line least = within.times(ACROSS_NODES);
    Line beyond = line(parameters, BEYOND);
    Line across = new Line(least.constant() + beyond.constant(), least.slope() + beyond.slope());
    double gamma = 1 + GAMMA_RANGE * share(parameters[GAMMA]);
    return new ThroughputModel(line(parameters, COMPUTING), within, across, gamma);
  }

  private static Line line(double[] parameters, int first) {
    return new Line(seconds(parameters[first]), seconds(parameters[first + 1]));
  }

  private static double seconds(double parameter) {
    return parameter == NEVER ? 0 : Math.exp(Math.clamp(parameter, -LARGEST, LARGEST));
  }

  /** Returns by how much what a parameter stands for grows with it. */
  static double slope(int parameter, double value) {
    return parameter == GAMMA ? GAMMA_RANGE * share(value) * (1 - share(value)) : seconds(value);
  }

  private static double share(double odds) {
    return 1 / (1 + Math.exp(-odds));
  }
}
