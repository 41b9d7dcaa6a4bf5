package io.github.liquidscheduler.lab.reference.pollux.goodput;

import io.github.liquidscheduler.lab.calibration.LeastSquares;
import io.github.liquidscheduler.lab.reference.pollux.application.StepTime;
import io.github.liquidscheduler.lab.reference.pollux.goodput.StepTimeModel.Line;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Fits a {@link StepTimeModel} to observations by least squares of the logarithms of times.
 *
 * <p>Parameters are logarithms too, so that none becomes negative. What the observations cannot
 * tell is left at an optimistic prior: half of the time of one batch size is constant, and
 * synchronising that was never seen costs nothing, or between nodes a tenth more than within one.
 * Optimism makes a scheduler try what it does not know. Growth by GPU and overlap are drawn to 0
 * and 1 by a little.
 */
final class StepTimeFit {

  private static final int PARAMETERS = 7;
  private static final int OVERLAP = 6;
  private static final double MOST_OVERLAP = 10;
  private static final double NOTHING = 1e-8;
  private static final double REMOTE_OVER_LOCAL = 1.1;
  private static final double DRAW_OF_OVERLAP = 1e-3;
  private static final double DRAW_OF_GROWTH = 1e-2;
  private static final double MOST_LOGARITHM = 10;
  private static final LeastSquares LEAST_SQUARES = new LeastSquares(1e-4, 40);
  private static final double[] START = {.1, .01, .1, .01, .1, .01, .1};

  private final List<StepObservation> observations;

  /** All parameters: logarithms of constants and slopes, and of the overlap above 1. */
  private final double[] parameters = Arrays.stream(START).map(Math::log).toArray();

  /** The parameters that observations can tell. */
  private final int[] free;

  private StepTimeFit(List<StepObservation> observations) {
    this.observations = observations;
    boolean sawBatches =
        observations.stream().mapToInt(StepObservation::localBatch).distinct().count() > 1;
    boolean sawLocal = observations.stream().anyMatch(seen -> seen.nodes() == 1 && seen.gpus() > 1);
    boolean sawRemote = observations.stream().anyMatch(seen -> seen.nodes() > 1);
    boolean sawGrowth = observations.stream().anyMatch(seen -> seen.gpus() > 2);
    boolean[] told = {
      sawBatches,
      true,
      sawLocal,
      sawLocal && sawGrowth,
      sawRemote,
      sawRemote && sawGrowth,
      sawLocal || sawRemote
    };
    List<Integer> free = new ArrayList<>();
    for (int i = 0; i < PARAMETERS; i++) {
      if (told[i]) {
        free.add(i);
      } else {
        parameters[i] = Math.log(i == 0 ? meanComputing() / 2 : NOTHING);
      }
    }
    this.free = free.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Returns the model that fits {@code observations} best, of which there is at least one. */
  static StepTimeModel of(List<StepObservation> observations) {
    return new StepTimeFit(observations).fit();
  }

  private double meanComputing() {
    return observations.stream()
        .map(StepObservation::time)
        .mapToDouble(StepTime::computing)
        .average()
        .orElseThrow();
  }

  private StepTimeModel fit() {
    double[] start = Arrays.stream(free).mapToDouble(i -> parameters[i]).toArray();
    return withPrior(model(LEAST_SQUARES.minimum(this::residuals, start)));
  }

  private static StepTimeModel withPrior(StepTimeModel model) {
    Line local = model.local();
    Line remote =
        new Line(
            Math.max(model.remote().constant(), REMOTE_OVER_LOCAL * local.constant()),
            Math.max(model.remote().slope(), REMOTE_OVER_LOCAL * local.slope()));
    return new StepTimeModel(model.compute(), local, remote, model.overlap());
  }

  private StepTimeModel model(double[] point) {
    double[] all = parameters.clone();
    for (int i = 0; i < free.length; i++) {
      all[free[i]] = point[i];
    }
    double[] values = Arrays.stream(all).map(StepTimeFit::value).toArray();
    return new StepTimeModel(
        new Line(values[0], values[1]),
        new Line(values[2], values[3]),
        new Line(values[4], values[5]),
        Math.min(MOST_OVERLAP, 1 + values[OVERLAP]));
  }

  private static double value(double logarithm) {
    return Math.max(NOTHING, Math.exp(Math.min(MOST_LOGARITHM, logarithm)));
  }

  private double[] residuals(double[] point) {
    StepTimeModel model = model(point);
    int size = observations.size();
    double weight = 1 / Math.sqrt(size);
    double[] residuals = new double[2 * size + 3];
    for (int i = 0; i < size; i++) {
      StepObservation seen = observations.get(i);
      double computing = model.computing(seen.localBatch());
      double step = model.step(seen.nodes(), seen.gpus(), seen.localBatch());
      residuals[i] = weight * Math.log(computing / seen.time().computing());
      residuals[size + i] = weight * Math.log(step / seen.time().step());
    }
    residuals[2 * size] = DRAW_OF_OVERLAP * (model.overlap() - 1);
    residuals[2 * size + 1] = DRAW_OF_GROWTH * growth(model.local());
    residuals[2 * size + 2] = DRAW_OF_GROWTH * growth(model.remote());
    return residuals;
  }

  private static double growth(Line line) {
    return line.slope() / line.constant();
  }
}
