package io.github.liquidscheduler.lab.evaluate;

import com.google.common.collect.Multimaps;
import io.github.liquidscheduler.estimator.interference.CompositePredictor;
import io.github.liquidscheduler.estimator.workload.ClassHistory;
import io.github.liquidscheduler.estimator.workload.PairFeatures;
import io.github.liquidscheduler.prediction.PredictorState;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.training.interference.HeldOut;
import io.github.liquidscheduler.training.interference.PairHoldOut;
import io.github.liquidscheduler.training.interference.SpeedExamples;
import io.github.liquidscheduler.training.measurement.Measurement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * The quality of the whole predictor on families that its models have never seen: at first sight,
 * beside plain baselines, and after a few co-locations of the family were watched in a cluster of
 * one GPU model. A co-location is watched from both sides; all others of the family on that GPU
 * model are then predicted. Which are watched is drawn {@value #DRAWS} times.
 */
public final class LocalPairsEvaluation {
  private static final int DRAWS = 5;

  /**
   * How good predictions were.
   *
   * @param count the predictions
   * @param error the mean absolute error of retained speed
   * @param coverage the part of the 90 % intervals that held what was measured
   * @param width the mean width of the intervals
   */
  public record Score(int count, double error, double coverage, double width) {}

  /**
   * The results of one family, or their mean.
   *
   * @param family what was hidden
   * @param constant the error of always saying the training data's mean
   * @param utilization the error of the prior from utilisation
   * @param additive the error of additive effects of both classes
   * @param first the predictor at first sight
   * @param watched the predictor after some co-locations were watched
   */
  public record Row(
      String family,
      double constant,
      double utilization,
      double additive,
      Score first,
      Score watched) {}

  private final List<Measurement> measurements;
  private final List<Measurement> also;
  private final boolean knowsRates;
  private final long seed;

  /**
   * Creates an evaluation.
   *
   * @param also measurements to learn from as well, which are never asked for
   * @param knowsRates whether the rates alone of the hidden family are known on all GPU models,
   *     instead of on the one that is asked for
   * @param seed what training and draws start from
   */
  public LocalPairsEvaluation(
      List<Measurement> measurements, List<Measurement> also, boolean knowsRates, long seed) {
    this.measurements = List.copyOf(measurements);
    this.knowsRates = knowsRates;
    this.also = List.copyOf(also);
    this.seed = seed;
  }

  /** Reports each family, and at last their mean. */
  public void run(int watched, Consumer<Row> report) {
    List<Row> rows = new ArrayList<>();
    for (PairHoldOut.Fold fold : PairHoldOut.FAMILY.of(measurements, also, seed)) {
      List<Measurement> profiled = knowsRates ? fold.test() : List.of();
      try (CompositePredictor predictor = TrainedPredictor.of(fold, profiled, seed)) {
        Row row = row(fold, predictor, watched);
        report.accept(row);
        rows.add(row);
      }
    }
    report.accept(average(rows));
  }

  Row row(PairHoldOut.Fold fold, CompositePredictor predictor, int watched) {
    ClassHistory history = new SpeedExamples(fold.learned()).history();
    if (knowsRates) {
      HeldOut.isolated(history, fold.test());
    }
    double mean =
        fold.train().stream().mapToDouble(Measurement::retainedSpeed).average().orElseThrow();
    try (CompositePredictor plain = CompositePredictor.builder().build()) {
      return new Row(
          fold.name(),
          error(fold.test(), each -> mean),
          error(fold.test(), each -> plain.retainedSpeed(each.colocation()).value()),
          error(fold.test(), each -> addedEffects(each, history)),
          score(fold.test(), predictor, 0),
          score(fold.test(), predictor, watched));
    }
  }

  private static double addedEffects(Measurement each, ClassHistory history) {
    return PairFeatures.row(each.victim(), each.coRunner(), each.gpu(), history)[
        PairFeatures.ADDED_EFFECTS];
  }

  private static double error(List<Measurement> test, ToDoubleFunction<Measurement> prediction) {
    return test.stream()
        .mapToDouble(each -> Math.abs(prediction.applyAsDouble(each) - each.retainedSpeed()))
        .average()
        .orElseThrow();
  }

  private Score score(List<Measurement> test, CompositePredictor predictor, int watched) {
    PredictionTally tally = new PredictionTally();
    for (GpuModel gpu : new TreeSet<>(test.stream().map(Measurement::gpu).toList())) {
      for (int draw = 0; draw < (watched == 0 ? 1 : DRAWS); draw++) {
        tally.add(tally(test, gpu, predictor, watched, new Random(seed + draw)));
      }
    }
    return tally.score();
  }

  private static PredictionTally tally(
      List<Measurement> test,
      GpuModel gpu,
      CompositePredictor predictor,
      int count,
      Random random) {
    List<Measurement> here = test.stream().filter(each -> each.gpu().equals(gpu)).toList();
    List<List<Measurement>> order =
        new ArrayList<>(Multimaps.asMap(Multimaps.index(here, PairHoldOut::pair)).values());
    Collections.shuffle(order, random);
    int first = Math.min(count, order.size() - 1);
    PredictorState state = PredictorState.NONE;
    for (List<Measurement> watched : order.subList(0, first)) {
      for (Measurement each : watched) {
        state = predictor.observe(state, each.colocation(), each.retainedSpeed());
      }
    }
    PredictionTally tally = new PredictionTally();
    for (List<Measurement> rest : order.subList(first, order.size())) {
      for (Measurement each : rest) {
        tally.add(predictor.retainedSpeed(each.colocation(), state), each.retainedSpeed());
      }
    }
    return tally;
  }

  private static Row average(List<Row> rows) {
    return new Row(
        "average",
        mean(rows, Row::constant),
        mean(rows, Row::utilization),
        mean(rows, Row::additive),
        averageOf(rows.stream().map(Row::first).toList()),
        averageOf(rows.stream().map(Row::watched).toList()));
  }

  private static Score averageOf(List<Score> scores) {
    return new Score(
        scores.stream().mapToInt(Score::count).sum(),
        mean(scores, Score::error),
        mean(scores, Score::coverage),
        mean(scores, Score::width));
  }

  private static <T> double mean(List<T> rows, ToDoubleFunction<T> part) {
    return rows.stream().mapToDouble(part).average().orElse(Double.NaN);
  }
}
