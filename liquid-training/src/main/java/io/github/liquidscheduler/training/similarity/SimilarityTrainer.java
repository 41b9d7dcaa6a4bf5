package io.github.liquidscheduler.training.similarity;

import io.github.liquidscheduler.estimator.workload.SimilaritySchema;
import io.github.liquidscheduler.estimator.workload.WorkloadClass;
import io.github.liquidscheduler.training.measurement.Measurement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Trains the similarity model: three networks that differ in their seed, and the error quantiles
 * that its intervals come from, measured by cross-validation. The same data and seed give the same
 * file, byte for byte.
 */
public final class SimilarityTrainer {
  private static final int FOLDS = 5;
  private static final int REFERENCES = 14;
  private static final double QUANTILE = 0.9;

  private final long seed;

  /** Creates a trainer whose randomness comes from {@code seed}. */
  public SimilarityTrainer(long seed) {
    this.seed = seed;
  }

  /**
   * Returns the trained model as an ONNX file.
   *
   * @param dataHash the SHA-256 of the data, for the file's metadata
   * @throws IllegalArgumentException if fewer than {@code 20} pairs were measured
   */
  public byte[] train(List<Measurement> measurements, String dataHash) {
    PairTable table = PairTable.of(measurements);
    if (table.cells().size() < 20) {
      throw new IllegalArgumentException(
          "a similarity model needs at least 20 measured pairs, but there were "
              + table.cells().size());
    }
    ErrorSample known = knownErrors(table);
    ErrorSample similar = similarErrors(table);
    int gpus = table.gpus().size();
    String error =
        String.format(
            Locale.ROOT, "mae=%.4f folds=pair pairs=%d", known.mean(), table.cells().size());
    return PairEnsemble.trained(table, PairFolds.flat(table.cells()), seed)
        .toBytes(
            SimilaritySchema.metadata(
                    table.classes(),
                    table.gpus(),
                    references(table),
                    known.quantiles(gpus, QUANTILE),
                    similar.quantiles(gpus, QUANTILE))
                .trainedOn(dataHash, error));
  }

  private ErrorSample knownErrors(PairTable table) {
    ErrorSample errors = new ErrorSample();
    for (PairFolds.Split split : PairFolds.byCell(table, FOLDS, seed)) {
      errors.addAll(PairEnsemble.trained(table, split.train(), seed), split.test());
    }
    return errors;
  }

  /** Errors on classes held out, each answered by its nearest relative that was not. */
  private ErrorSample similarErrors(PairTable table) {
    ErrorSample errors = new ErrorSample();
    for (int fold = 0; fold < FOLDS; fold++) {
      int hidden = fold;
      PairFolds.Split split =
          PairFolds.hiding(
              table,
              entry -> entry.victim() % FOLDS == hidden || entry.aggressor() % FOLDS == hidden);
      if (split.train().isEmpty() || split.test().isEmpty()) {
        continue;
      }
      PairEnsemble model = PairEnsemble.trained(table, split.train(), seed);
      int[] standIn = standIns(table.classes(), hidden);
      errors.addAll(
          (victim, aggressor, gpu) -> model.predict(standIn[victim], standIn[aggressor], gpu),
          split.test());
    }
    return errors;
  }

  private static int[] standIns(List<WorkloadClass> classes, int hidden) {
    int[] standIn = new int[classes.size()];
    for (int number = 0; number < standIn.length; number++) {
      standIn[number] = number;
      for (int step = 1; step < FOLDS && standIn[number] % FOLDS == hidden; step++) {
        for (int other : new int[] {number - step, number + step}) {
          if (other >= 0
              && other < classes.size()
              && other % FOLDS != hidden
              && classes.get(other).family().equals(classes.get(number).family())) {
            standIn[number] = other;
          }
        }
      }
    }
    return standIn;
  }

  /** Picks classes that are far apart in what is known of them alone: each next is the farthest. */
  private static List<WorkloadClass> references(PairTable table) {
    double[][] features = ClassFeatures.of(table);
    double[] distance = new double[features.length];
    Arrays.fill(distance, Double.POSITIVE_INFINITY);
    List<WorkloadClass> references = new ArrayList<>();
    int next = 0;
    while (references.size() < Math.min(REFERENCES, features.length)) {
      references.add(table.classes().get(next));
      for (int number = 0; number < features.length; number++) {
        distance[number] =
            Math.min(distance[number], squaredDistance(features[number], features[next]));
      }
      next = farthest(distance);
    }
    return references;
  }

  private static int farthest(double[] distance) {
    int best = 0;
    for (int i = 1; i < distance.length; i++) {
      if (distance[i] > distance[best]) {
        best = i;
      }
    }
    return best;
  }

  private static double squaredDistance(double[] left, double[] right) {
    double sum = 0;
    for (int i = 0; i < left.length; i++) {
      sum += (left[i] - right[i]) * (left[i] - right[i]);
    }
    return sum;
  }
}
