package io.github.liquidscheduler.training.interference;

import io.github.liquidscheduler.training.measurement.Measurement;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Judges the interference model on measurements that were hidden, beside always saying the mean.
 * Coverage is measured with intervals that were themselves set without the hidden measurements: by
 * pairs held out within the rest.
 */
public final class InterferenceEvaluation {
  private static final double QUANTILE = 0.9;

  /**
   * The errors on one fold, or on all.
   *
   * @param fold what was hidden
   * @param count how many co-locations were predicted
   * @param mean the mean absolute error of always saying the training data's mean
   * @param network the mean absolute error of the model
   * @param coverage the share of 90 % intervals that held what was measured
   */
  public record Row(String fold, int count, double mean, double network, double coverage) {}

  private final List<Measurement> measurements;
  private final long seed;

  /** Creates an evaluation; training and splits are drawn from the seed. */
  public InterferenceEvaluation(List<Measurement> measurements, long seed) {
    this.measurements = List.copyOf(measurements);
    this.seed = seed;
  }

  /** Reports each fold, and at last the mean over folds. */
  public void run(Folds folds, Consumer<Row> report) {
    int count = 0;
    double mean = 0;
    double network = 0;
    double covered = 0;
    List<Folds.Fold> all = folds.of(measurements, seed);
    for (Folds.Fold fold : all) {
      Row row = judge(fold, folds == Folds.PAIR ? Folds.PAIR : Folds.FAMILY);
      report.accept(row);
      count += row.count();
      mean += row.mean() / all.size();
      network += row.network() / all.size();
      covered += row.coverage() * row.count();
    }
    report.accept(new Row("average", count, mean, network, covered / count));
  }

  private Row judge(Folds.Fold fold, Folds inner) {
    HeldOut within = new HeldOut();
    inner.of(fold.train(), seed + 1).forEach(each -> within.add(each, seed));
    Map<String, Double> quantiles = within.quantiles(QUANTILE);
    double widest = quantiles.values().stream().mapToDouble(Double::doubleValue).max().orElse(1);
    HeldOut heldOut = new HeldOut();
    heldOut.add(fold, seed);
    long covered =
        heldOut.answers().stream()
            .filter(answer -> answer.error() <= quantiles.getOrDefault(answer.gpu(), widest))
            .count();
    int count = heldOut.answers().size();
    return new Row(
        fold.name(), count, heldOut.errorOfMean(), heldOut.error(), (double) covered / count);
  }
}
