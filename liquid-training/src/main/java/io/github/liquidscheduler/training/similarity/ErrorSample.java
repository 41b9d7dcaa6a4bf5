package io.github.liquidscheduler.training.similarity;

import java.util.ArrayList;
import java.util.List;

/** Absolute errors on entries that a predictor had not seen. */
final class ErrorSample {

  private record ErrorOn(int gpu, double size) {}

  private final List<ErrorOn> errors = new ArrayList<>();

  void addAll(PairPredictor predictor, List<PairTable.Entry> entries) {
    for (PairTable.Entry entry : entries) {
      double predicted = predictor.predict(entry.victim(), entry.aggressor(), entry.gpu());
      errors.add(new ErrorOn(entry.gpu(), Math.abs(predicted - entry.speed())));
    }
  }

  double mean() {
    return errors.stream().mapToDouble(ErrorOn::size).average().orElse(Double.NaN);
  }

  /**
   * Returns the quantile per GPU model, the conformal one, which counts the sample as one larger.
   */
  double[] quantiles(int gpus, double quantile) {
    double[] result = new double[gpus];
    for (int gpu = 0; gpu < gpus; gpu++) {
      result[gpu] = quantile(gpu, quantile);
    }
    return result;
  }

  private double quantile(int gpu, double quantile) {
    double[] sizes =
        errors.stream()
            .filter(error -> error.gpu() == gpu)
            .mapToDouble(ErrorOn::size)
            .sorted()
            .toArray();
    if (sizes.length == 0) {
      return 1;
    }
    int rank = (int) Math.ceil(quantile * (sizes.length + 1)) - 1;
    return sizes[Math.min(rank, sizes.length - 1)];
  }
}
