package io.github.liquidscheduler.training.resource;

import io.github.liquidscheduler.estimator.task.ResourceSample;
import io.github.liquidscheduler.estimator.task.ResourceTarget;
import io.github.liquidscheduler.estimator.task.prior.ModelFamilies;
import io.github.liquidscheduler.estimator.task.prior.TaskFacts;
import io.github.liquidscheduler.estimator.task.regression.Calibration;
import io.github.liquidscheduler.estimator.task.regression.FeatureSchema;
import io.github.liquidscheduler.training.tree.Examples;
import io.github.liquidscheduler.training.tree.Regression;
import io.github.liquidscheduler.training.tree.RegressionLearner;
import io.github.liquidscheduler.training.tree.RidgeLearner;
import io.github.liquidscheduler.training.tree.TreeLearner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * Trains the regression of one target, for known families or for families never seen. What is
 * learned is what the analytic prior leaves unexplained, where there is a prior. The learner is
 * chosen by cross-validation, whose errors also calibrate: for known families examples are held out
 * at random, for unseen ones whole lineages are, and the columns that name families are hidden.
 * Where no learner is clearly better than the prior alone, which few groups seldom show, nothing is
 * learned.
 */
final class TargetTrainer {
  private static final int FOLDS = 5;
  private static final int GROUP_FOLDS = 20;
  private static final int MOST_COMPARED = 1500;
  private static final int MANY = 1000;
  private static final int FOLDS_OF_MANY = 3;

  private record Tried(RegressionLearner learner, Residuals residuals) {}

  private final FeatureSchema schema;
  private final ResourceTarget target;
  private final boolean isKnown;
  private final long seed;
  private final List<ResourceSample> measured;
  private final List<String> groups = new ArrayList<>();
  private final Examples examples;
  private final OptionalInt prior;

  TargetTrainer(
      FeatureSchema schema,
      ResourceTarget target,
      boolean isKnown,
      List<ResourceSample> samples,
      long seed) {
    this.schema = schema;
    this.target = target;
    this.isKnown = isKnown;
    this.seed = seed;
    prior = priorOf(schema, target);
    measured = samples.stream().filter(sample -> sample.value(target).isPresent()).toList();
    float[][] rows = new float[measured.size()][];
    float[] labels = new float[rows.length];
    for (int i = 0; i < rows.length; i++) {
      ResourceSample sample = measured.get(i);
      rows[i] = hidden(schema.row(sample.task()));
      labels[i] = label(sample, rows[i]);
      groups.add(isKnown ? Integer.toString(i) : ModelFamilies.lineage(sample.task().family()));
    }
    examples = new Examples(rows, labels);
  }

  FittedTarget train() {
    int[] compared = compared();
    Examples part = examples.at(compared);
    List<String> partGroups = Arrays.stream(compared).mapToObj(groups::get).toList();
    ResourceFolds folds = folds(partGroups);
    Tried best = best(learner -> new Tried(learner, heldOut(learner, part, partGroups, folds)));
    Regression regression = withPrior(best.learner().fit(examples, seed));
    Calibration calibration = calibration(best.residuals(), compared);
    return new FittedTarget(regression, calibration, best.learner().name());
  }

  /** Errors of memory count by what its guesses must have been off, not its bytes. */
  private Calibration calibration(Residuals residuals, int[] compared) {
    Residuals counted =
        target == ResourceTarget.GPU_MEMORY
            ? residuals.map((i, error) -> GuessedFactor.of(facts(compared[i]), error))
            : residuals;
    return counted.calibration(residuals.meanError());
  }

  private TaskFacts facts(int example) {
    return new TaskFacts(measured.get(example).task());
  }

  private Tried best(Function<RegressionLearner, Tried> trial) {
    Tried best =
        candidates().stream()
            .map(trial)
            .min(Comparator.comparingDouble(tried -> tried.residuals().meanError()))
            .orElseThrow();
    if (prior.isEmpty()) {
      return best;
    }
    Tried alone = trial.apply(RegressionLearner.nothing());
    return best.residuals().areClearlyLessThan(alone.residuals()) ? best : alone;
  }

  private List<RegressionLearner> candidates() {
    return isKnown
        ? List.of(
            RegressionLearner.mean(),
            new RidgeLearner(1),
            TreeLearner.forest(40, 8, 2),
            TreeLearner.boosted(120, 4, 0.1))
        : List.of(
            RegressionLearner.mean(),
            new RidgeLearner(10),
            TreeLearner.forest(40, 6, 3),
            TreeLearner.boosted(60, 2, 0.1));
  }

  private int[] compared() {
    int[] order = ResourceFolds.shuffled(examples.size(), seed);
    return Arrays.copyOf(order, Math.min(order.length, MOST_COMPARED));
  }

  private ResourceFolds folds(List<String> partGroups) {
    boolean isMany = partGroups.size() > MANY;
    boolean hasGroups = partGroups.stream().distinct().count() > 1;
    return !isKnown && hasGroups
        ? ResourceFolds.ofGroups(partGroups, isMany ? FOLDS : GROUP_FOLDS)
        : ResourceFolds.ofRows(partGroups.size(), isMany ? FOLDS_OF_MANY : FOLDS, seed);
  }

  private Residuals heldOut(
      RegressionLearner learner, Examples part, List<String> partGroups, ResourceFolds folds) {
    double[] residuals = new double[part.size()];
    for (int fold = 0; fold < folds.count(); fold++) {
      int[] others = folds.others(fold);
      Regression regression = learner.fit(others.length == 0 ? part : part.at(others), seed + fold);
      for (int i : folds.heldOut(fold)) {
        residuals[i] = part.labels()[i] - regression.predict(part.rows()[i]);
      }
    }
    return new Residuals(residuals, partGroups);
  }

  /** The row as it is learned from: without the family where families must not be known. */
  private float[] hidden(float[] row) {
    if (!isKnown) {
      for (int i = 0; i < row.length; i++) {
        if (schema.features().get(i).name().startsWith(FeatureSchema.FAMILY)) {
          row[i] = 0;
        }
      }
    }
    return row;
  }

  private float label(ResourceSample sample, float[] row) {
    double scaled = target.toScale(sample.value(target).orElseThrow());
    return (float) (prior.isPresent() ? scaled - row[prior.getAsInt()] : scaled);
  }

  private Regression withPrior(Regression learned) {
    if (prior.isEmpty()) {
      return learned;
    }
    float[] weights = learned.weights().clone();
    weights[prior.getAsInt()] += 1;
    return new Regression(learned.bias(), weights, learned.trees());
  }

  private static OptionalInt priorOf(FeatureSchema schema, ResourceTarget target) {
    return switch (target) {
      case GPU_MEMORY -> OptionalInt.of(schema.indexOf(FeatureSchema.PRIOR_MEMORY));
      case TOTAL -> OptionalInt.of(schema.indexOf(FeatureSchema.PRIOR_SECONDS));
      default -> OptionalInt.empty();
    };
  }
}
