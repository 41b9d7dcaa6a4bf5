package io.github.liquidscheduler.lab.evaluate;

import io.github.liquidscheduler.estimator.workload.WorkloadClass;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.training.measurement.Measurement;
import io.github.liquidscheduler.training.similarity.ErrorSample;
import io.github.liquidscheduler.training.similarity.PairEnsemble;
import io.github.liquidscheduler.training.similarity.PairFolds;
import io.github.liquidscheduler.training.similarity.PairPredictor;
import io.github.liquidscheduler.training.similarity.PairTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Evaluates collaborative filtering beside the mean, biases and matrix factorisation on pairs that
 * were hidden. All figures are mean absolute errors of retained speed.
 */
public final class SimilarityEvaluation {
  private static final int REPETITIONS = 3;

  /**
   * The errors of all predictors in one situation.
   *
   * @param situation what was hidden
   * @param mean the error of always saying the mean
   * @param bias the error of additive biases
   * @param factorization the error of matrix factorisation
   * @param network the error of the model
   */
  public record Row(
      String situation, double mean, double bias, double factorization, double network) {}

  private final PairTable table;
  private final long seed;

  /** Creates an evaluation on {@code measurements}; training and splits are drawn from a seed. */
  public SimilarityEvaluation(List<Measurement> measurements, long seed) {
    this.table = PairTable.of(measurements);
    this.seed = seed;
  }

  /** Reports the errors when only a share of the pairs is observed, three splits each. */
  public void observedShares(Consumer<Row> report) {
    for (double share : new double[] {0.1, 0.2, 0.4, 0.6, 0.8}) {
      report.accept(observedShare(share));
    }
  }

  /** Returns the errors when only {@code share} of the pairs is observed, over three splits. */
  public Row observedShare(double share) {
    Errors errors = new Errors();
    for (int repetition = 0; repetition < REPETITIONS; repetition++) {
      errors.add(observed(share, seed + 1000 + repetition));
    }
    return errors.row("%.0f %% of pairs observed".formatted(100 * share));
  }

  private PairFolds.Split observed(double share, long splitSeed) {
    List<List<PairTable.Entry>> cells = new ArrayList<>(table.cells());
    Collections.shuffle(cells, new Random(splitSeed));
    int shown = (int) Math.round(share * cells.size());
    return new PairFolds.Split(
        PairFolds.flat(cells.subList(0, shown)),
        PairFolds.flat(cells.subList(shown, cells.size())));
  }

  /**
   * Reports the errors on each class in turn when it is new and only a few pairs of it, on whatever
   * GPU model, were measured.
   */
  public void probes(Consumer<Row> report) {
    for (int probes : new int[] {0, 2, 4, 8, 16}) {
      Errors errors = new Errors();
      for (int number = 0; number < table.classes().size(); number++) {
        errors.add(probed(number, probes, seed + 31L * number + probes));
      }
      report.accept(errors.row("new class, " + probes + " pairs probed"));
    }
  }

  /** Shows some cells of one class, drawn at random, and all cells without it. */
  private PairFolds.Split probed(int number, int probes, long splitSeed) {
    List<List<PairTable.Entry>> cells = new ArrayList<>(table.cells());
    Collections.shuffle(cells, new Random(splitSeed));
    List<PairTable.Entry> train = new ArrayList<>();
    List<PairTable.Entry> test = new ArrayList<>();
    int left = probes;
    for (List<PairTable.Entry> cell : cells) {
      PairTable.Entry first = cell.getFirst();
      boolean isNew = first.victim() == number || first.aggressor() == number;
      if (isNew && left == 0) {
        test.addAll(cell);
      } else {
        train.addAll(cell);
        left -= isNew ? 1 : 0;
      }
    }
    return new PairFolds.Split(train, test);
  }

  /** Reports the errors on each family in turn when nothing of it was measured. */
  public void families(Consumer<Row> report) {
    List<String> families = table.classes().stream().map(each -> each.family()).distinct().toList();
    for (String family : families) {
      Errors errors = new Errors();
      errors.add(PairFolds.hiding(table, entry -> isOf(family, entry)));
      report.accept(errors.row("family " + family + " never seen"));
    }
  }

  /** Reports the errors on each GPU model in turn when nothing on it was measured. */
  public void gpus(Consumer<Row> report) {
    for (int gpu = 0; gpu < table.gpus().size(); gpu++) {
      int hidden = gpu;
      Errors errors = new Errors();
      errors.add(PairFolds.hiding(table, entry -> entry.gpu() == hidden));
      report.accept(errors.row("GPU model " + table.gpus().get(gpu) + " never seen"));
    }
  }

  /** What networks say of one direction of a pair that they never saw, on any GPU model. */
  public record Guess(
      WorkloadClass victim, WorkloadClass aggressor, GpuModel gpu, double retainedSpeed) {}

  /**
   * Returns the guesses of networks for each pair, trained on the pairs of all folds but its own.
   *
   * @param folds how many folds, at least 2
   * @param networks how many networks are trained for each fold, whose mean counts; at least 1
   */
  public List<Guess> heldOutPairs(int folds, int networks) {
    List<Guess> guesses = new ArrayList<>();
    for (PairFolds.Split split : byPair(folds)) {
      PairEnsemble ensemble = PairEnsemble.trained(table, split.train(), seed, networks);
      split.test().forEach(entry -> guesses.add(guess(ensemble, entry)));
    }
    return guesses;
  }

  /** Hides each pair of classes, on all GPU models, in exactly one of the splits. */
  private List<PairFolds.Split> byPair(int folds) {
    List<Integer> order = new ArrayList<>();
    int classes = table.classes().size();
    for (int pair = 0; pair < classes * classes; pair++) {
      order.add(pair % folds);
    }
    Collections.shuffle(order, new Random(seed));
    List<PairFolds.Split> splits = new ArrayList<>();
    for (int fold = 0; fold < folds; fold++) {
      int hidden = fold;
      splits.add(PairFolds.hiding(table, entry -> order.get(pair(entry, classes)) == hidden));
    }
    return splits;
  }

  private static int pair(PairTable.Entry entry, int classes) {
    int first = Math.min(entry.victim(), entry.aggressor());
    return first * classes + Math.max(entry.victim(), entry.aggressor());
  }

  private Guess guess(PairPredictor predictor, PairTable.Entry entry) {
    return new Guess(
        table.classes().get(entry.victim()),
        table.classes().get(entry.aggressor()),
        table.gpus().get(entry.gpu()),
        predictor.predict(entry.victim(), entry.aggressor(), entry.gpu()));
  }

  private boolean isOf(String family, PairTable.Entry entry) {
    return table.classes().get(entry.victim()).family().equals(family)
        || table.classes().get(entry.aggressor()).family().equals(family);
  }

  /** The errors of each predictor over the splits of one situation. */
  private final class Errors {
    private final List<ErrorSample> samples =
        List.of(new ErrorSample(), new ErrorSample(), new ErrorSample(), new ErrorSample());

    void add(PairFolds.Split split) {
      if (split.train().isEmpty() || split.test().isEmpty()) {
        return;
      }
      List<PairPredictor> predictors = new ArrayList<>();
      predictors.add(Baselines.mean(split.train()));
      predictors.add(Baselines.bias(table, split.train()));
      predictors.add(Baselines.factorization(table, split.train(), seed));
      predictors.add(PairEnsemble.trained(table, split.train(), seed));
      for (int i = 0; i < predictors.size(); i++) {
        samples.get(i).addAll(predictors.get(i), split.test());
      }
    }

    Row row(String situation) {
      return new Row(
          situation,
          samples.get(0).mean(),
          samples.get(1).mean(),
          samples.get(2).mean(),
          samples.get(3).mean());
    }
  }
}
