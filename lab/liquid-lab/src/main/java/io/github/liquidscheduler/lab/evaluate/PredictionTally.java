package io.github.liquidscheduler.lab.evaluate;

import io.github.liquidscheduler.prediction.Prediction;

/** Sums over predictions of retained speed. */
final class PredictionTally {
  private int count;
  private int covered;
  private double errors;
  private double widths;

  void add(Prediction predicted, double measured) {
    count++;
    errors += Math.abs(predicted.value() - measured);
    widths += predicted.width();
    covered += predicted.low() <= measured && measured <= predicted.high() ? 1 : 0;
  }

  void add(PredictionTally other) {
    count += other.count;
    covered += other.covered;
    errors += other.errors;
    widths += other.widths;
  }

  LocalPairsEvaluation.Score score() {
    return new LocalPairsEvaluation.Score(
        count, errors / count, (double) covered / count, widths / count);
  }
}
