package io.github.liquidscheduler.lab.evaluate;

import io.github.liquidscheduler.estimator.task.ResourceSample;
import io.github.liquidscheduler.estimator.task.ResourceTarget;
import io.github.liquidscheduler.estimator.task.regression.FeatureSchema;
import io.github.liquidscheduler.training.resource.Vocabulary;
import io.github.liquidscheduler.training.tree.Examples;
import io.github.liquidscheduler.training.tree.Regression;
import io.github.liquidscheduler.training.tree.RegressionLearner;
import io.github.liquidscheduler.training.tree.RidgeLearner;
import io.github.liquidscheduler.training.tree.TreeLearner;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Liquid's figure 10: R2 (1 - MSE / variance) of device memory in MiB on 50 jobs, learned from 100
 * to 400. The plain learners see the same columns as Liquid's estimator but those of the analytic
 * prior, and learn MiB directly, as in the paper; the forest is the paper's.
 */
public final class LearnerComparison {
  private static final int TESTS = 50;
  private static final List<Integer> SIZES = List.of(100, 200, 300, 400);
  private static final double MEBIBYTE = 1 << 20;
  private static final ResourceTarget MEMORY = ResourceTarget.GPU_MEMORY;

  private LearnerComparison() {}

  /** Returns a table, a line per learner. */
  public static List<String> run(long seed) {
    GeneratedJobs jobs = new GeneratedJobs(seed);
    List<ResourceSample> test = jobs.next(TESTS);
    List<ResourceSample> all = jobs.next(SIZES.getLast());
    List<String> lines = new ArrayList<>();
    lines.add(
        line("R2 after training on", SIZES.stream().map(Integer::doubleValue).toList(), "%8.0f"));
    lines.add(line("this estimator", estimator(all, test, seed), "%8.3f"));
    for (RegressionLearner learner : learners()) {
      lines.add(line(learner.name(), plain(learner, all, test, seed), "%8.3f"));
    }
    return lines;
  }

  /** Returns the R2 of the estimator after each number of training jobs. */
  static List<Double> estimator(List<ResourceSample> all, List<ResourceSample> test, long seed) {
    return SIZES.stream()
        .map(size -> ResourceEvaluation.split(all.subList(0, size), test, seed))
        .map(outcomes -> TargetScore.of(MEMORY, outcomes).orElseThrow().r2())
        .toList();
  }

  private static List<RegressionLearner> learners() {
    return List.of(
        TreeLearner.forest(70, 13, 5),
        new RidgeLearner(0),
        TreeLearner.boosted(70, 6, 0.1),
        TreeLearner.single(13, 1));
  }

  private static List<Double> plain(
      RegressionLearner learner, List<ResourceSample> all, List<ResourceSample> test, long seed) {
    FeatureSchema schema = Vocabulary.of(all);
    List<Double> scores = new ArrayList<>();
    for (int size : SIZES) {
      Regression learned = learner.fit(examples(schema, all.subList(0, size)), seed);
      scores.add(r2(learned, examples(schema, test)));
    }
    return scores;
  }

  private static Examples examples(FeatureSchema schema, List<ResourceSample> samples) {
    float[][] rows = new float[samples.size()][];
    float[] labels = new float[rows.length];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = schema.row(samples.get(i).task());
      rows[i][schema.indexOf(FeatureSchema.PRIOR_MEMORY)] = 0;
      rows[i][schema.indexOf(FeatureSchema.NEEDED_MEMORY)] = 0;
      labels[i] = (float) (samples.get(i).value(MEMORY).orElseThrow() / MEBIBYTE);
    }
    return new Examples(rows, labels);
  }

  private static double r2(Regression regression, Examples test) {
    double mean = test.meanLabel();
    double errors = 0;
    double variance = 0;
    for (int i = 0; i < test.size(); i++) {
      double truth = test.labels()[i];
      errors += Math.pow(truth - regression.predict(test.rows()[i]), 2);
      variance += Math.pow(truth - mean, 2);
    }
    return 1 - errors / variance;
  }

  private static String line(String name, List<Double> values, String format) {
    StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-22s", name));
    values.forEach(value -> line.append(String.format(Locale.ROOT, format, value)));
    return line.toString();
  }
}
