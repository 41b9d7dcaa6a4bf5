package io.github.liquidscheduler.lab.evaluate;

import io.github.liquidscheduler.training.interference.HeldOut;
import io.github.liquidscheduler.training.interference.Learners;
import io.github.liquidscheduler.training.interference.PairHoldOut;
import io.github.liquidscheduler.training.measurement.Measurement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Evaluates the interference models on held-out measurements, beside always saying the mean. How
 * much each model counts in their blend, and how wide the intervals are, is set without the hidden
 * measurements: by what is held out within the rest.
 */
public final class InterferenceEvaluation {

  /**
   * The errors on one fold, or on all.
   *
   * @param fold what was hidden
   * @param count how many co-locations were predicted
   * @param mean the mean absolute error of always saying the training data's mean
   * @param network the mean absolute error of the networks
   * @param trees the mean absolute error of the trees
   * @param blend the mean absolute error of both, weighted by inverse variance
   * @param networkCoverage the share of the networks' 90 % intervals that held what was measured
   * @param treesCoverage the share of the trees' intervals that did
   * @param blendCoverage the share of the blend's intervals that did
   */
  public record Row(
      String fold,
      int count,
      double mean,
      double network,
      double trees,
      double blend,
      double networkCoverage,
      double treesCoverage,
      double blendCoverage) {}

  private final List<Measurement> measurements;
  private final List<Measurement> also;
  private final long seed;

  /** Creates an evaluation; training and splits are drawn from the seed. */
  public InterferenceEvaluation(List<Measurement> measurements, long seed) {
    this(measurements, List.of(), seed);
  }

  /** Creates an evaluation in which other measurements are learned from and never asked for. */
  public InterferenceEvaluation(List<Measurement> measurements, List<Measurement> also, long seed) {
    this.measurements = List.copyOf(measurements);
    this.also = List.copyOf(also);
    this.seed = seed;
  }

  /** Reports each fold, and at last the mean over folds; coverage is that of all co-locations. */
  public void run(PairHoldOut folds, Consumer<Row> report) {
    List<Row> rows = new ArrayList<>();
    for (PairHoldOut.Fold fold : folds.of(measurements, also, seed)) {
      Row row = judge(fold, folds == PairHoldOut.PAIR ? PairHoldOut.PAIR : PairHoldOut.FAMILY);
      report.accept(row);
      rows.add(row);
    }
    report.accept(average(rows));
  }

  private Row judge(PairHoldOut.Fold fold, PairHoldOut inner) {
    Judged network = judged(fold, inner, Learners.NETWORK);
    Judged trees = judged(fold, inner, Learners.TREES);
    Judged blend = network.blendedWith(trees);
    return new Row(
        fold.name(),
        network.count(),
        network.errorOfMean(),
        network.error(),
        trees.error(),
        blend.error(),
        network.coverage(),
        trees.coverage(),
        blend.coverage());
  }

  private Judged judged(PairHoldOut.Fold fold, PairHoldOut inner, Learners learners) {
    HeldOut within = new HeldOut();
    inner.of(fold.train(), fold.also(), seed + 1).forEach(each -> within.add(each, learners, seed));
    HeldOut heldOut = new HeldOut();
    heldOut.add(fold, learners, seed);
    return Judged.of(heldOut, within);
  }

  private static Row average(List<Row> rows) {
    int count = rows.stream().mapToInt(Row::count).sum();
    return new Row(
        "average",
        count,
        rows.stream().mapToDouble(Row::mean).average().orElse(Double.NaN),
        rows.stream().mapToDouble(Row::network).average().orElse(Double.NaN),
        rows.stream().mapToDouble(Row::trees).average().orElse(Double.NaN),
        rows.stream().mapToDouble(Row::blend).average().orElse(Double.NaN),
        rows.stream().mapToDouble(row -> row.networkCoverage() * row.count()).sum() / count,
        rows.stream().mapToDouble(row -> row.treesCoverage() * row.count()).sum() / count,
        rows.stream().mapToDouble(row -> row.blendCoverage() * row.count()).sum() / count);
  }
}
