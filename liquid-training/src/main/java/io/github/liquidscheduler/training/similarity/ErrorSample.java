package io.github.liquidscheduler.training.similarity;

import io.github.liquidscheduler.training.statistics.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Absolute errors on entries that a predictor had not seen. */
public final class ErrorSample {

  private record ErrorOn(int gpu, double size) {}

  private final List<ErrorOn> errors = new ArrayList<>();

  /** Adds the errors of a predictor on entries of the table. */
  public void addAll(PairPredictor predictor, List<PairTable.Entry> entries) {
    for (PairTable.Entry entry : entries) {
      double predicted = predictor.predict(entry.victim(), entry.aggressor(), entry.gpu());
      errors.add(new ErrorOn(entry.gpu(), Math.abs(predicted - entry.speed())));
    }
  }

  /** Returns the mean absolute error of retained speed. */
  public double mean() {
    return Sample.of(errors.stream().mapToDouble(ErrorOn::size)).mean();
  }

  /** Returns the conformal quantile per GPU model; 1 where there is no error. */
  public double[] quantiles(int gpus, double quantile) {
    return IntStream.range(0, gpus)
        .mapToDouble(gpu -> sizesOn(gpu).conformalQuantile(quantile))
        .map(size -> Double.isNaN(size) ? 1 : size)
        .toArray();
  }

  private Sample sizesOn(int gpu) {
    return Sample.of(
        errors.stream().filter(error -> error.gpu() == gpu).mapToDouble(ErrorOn::size));
  }
}
