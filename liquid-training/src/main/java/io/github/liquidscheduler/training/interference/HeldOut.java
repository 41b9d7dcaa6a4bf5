package io.github.liquidscheduler.training.interference;

import com.google.common.collect.Multimaps;
import io.github.liquidscheduler.estimator.workload.ClassHistory;
import io.github.liquidscheduler.estimator.workload.PairFeatures;
import io.github.liquidscheduler.training.measurement.Measurement;
import io.github.liquidscheduler.training.statistics.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Predictions of measurements that were hidden while learning. */
public final class HeldOut {

  /** A measurement, what was predicted of it, and what the mean would have said. */
  public record Answer(String gpu, double measured, double predicted, double mean) {
    /** Returns the absolute error of retained speed. */
    public double error() {
      return Math.abs(measured - predicted);
    }
  }

  private final List<Answer> answers = new ArrayList<>();

  /** Trains on a fold and adds the answers on what it holds out. */
  public void add(PairHoldOut.Fold fold, Learners learners, long seed) {
    SpeedExamples examples = new SpeedExamples(fold.learned());
    ClassHistory history = examples.history();
    isolated(history, fold.test());
    SpeedModel model = learners.learn(examples, seed);
    double mean =
        fold.train().stream().mapToDouble(Measurement::retainedSpeed).average().orElse(Double.NaN);
    for (Measurement each : fold.test()) {
      double[] row = PairFeatures.row(each.victim(), each.coRunner(), each.gpu(), history);
      answers.add(new Answer(each.gpu().name(), each.retainedSpeed(), predict(model, row), mean));
    }
  }

  /** Rates alone are no co-location: they are known of every job that was profiled. */
  public static void isolated(ClassHistory history, List<Measurement> measurements) {
    for (Measurement each : measurements) {
      history.isolated(each.victimClass(), each.gpu(), each.victim().isolatedRate());
      history.isolated(each.coRunnerClass(), each.gpu(), each.coRunner().isolatedRate());
    }
  }

  /** Returns the retained speed that a model predicts for a row of features, 0.02 to 1. */
  public static double predict(SpeedModel model, double[] row) {
    boolean familiar = PairFeatures.isFamiliar(row);
    return Math.clamp(familiar ? model.familiar(row) : model.strange(row), 0.02, 1);
  }

  /** Returns all answers, in the order of the folds. */
  public List<Answer> answers() {
    return answers;
  }

  /** Returns the mean absolute error of retained speed; NaN without answers. */
  public double error() {
    return answers.stream().mapToDouble(Answer::error).average().orElse(Double.NaN);
  }

  /** Returns the conformal quantile of the absolute error per GPU model. */
  public Map<String, Double> quantiles(double quantile) {
    Map<String, Double> result = new TreeMap<>();
    Multimaps.asMap(Multimaps.index(answers, Answer::gpu))
        .forEach((gpu, all) -> result.put(gpu, errors(all).conformalQuantile(quantile)));
    return result;
  }

  private static Sample errors(List<Answer> answers) {
    return Sample.of(answers.stream().mapToDouble(Answer::error));
  }
}
