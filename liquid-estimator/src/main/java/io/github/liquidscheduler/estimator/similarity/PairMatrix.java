package io.github.liquidscheduler.estimator.similarity;

import io.github.liquidscheduler.estimator.onnx.BatchScorer;
import io.github.liquidscheduler.estimator.onnx.ModelFile;

/**
 * The retained speed of every class beside every other on every GPU model, computed once when a
 * model is loaded: what is asked while deciding is only looked up. One more class stands for the
 * average of all. 500 classes on 4 GPU models take 4 MB.
 */
final class PairMatrix {
  private static final int MOST_CELLS = 1 << 24;

  private final int classes;
  private final int gpus;
  private final float[] mean;

  private PairMatrix(int classes, int gpus) {
    this.classes = classes;
    this.gpus = gpus;
    mean = new float[gpus * (classes + 1) * (classes + 1)];
  }

  static PairMatrix of(ModelFile model, int classes, int gpus) {
    if ((double) classes * classes * gpus > MOST_CELLS) {
      throw new IllegalArgumentException(
          "a similarity model may tell %d pairs of classes, but %d classes on %d GPU models are more, in %s"
              .formatted(MOST_CELLS, classes, gpus, model.owner()));
    }
    PairMatrix matrix = new PairMatrix(classes, gpus);
    try (BatchScorer scorer = model.scorer()) {
      for (int gpu = 0; gpu < gpus; gpu++) {
        for (int victim = 0; victim < classes; victim++) {
          matrix.fill(scorer, victim, gpu);
        }
        matrix.fillAverage(gpu);
      }
    }
    return matrix;
  }

  /** Returns the number of the class that stands for the average of all. */
  int everyone() {
    return classes;
  }

  double mean(int victim, int aggressor, int gpu) {
    return mean[cell(victim, aggressor, gpu)];
  }

  private int cell(int victim, int aggressor, int gpu) {
    return (gpu * (classes + 1) + victim) * (classes + 1) + aggressor;
  }

  /** Asks for one victim beside all aggressors, and sets it beside their average. */
  private void fill(BatchScorer scorer, int victim, int gpu) {
    float[] rows = new float[classes * 2];
    for (int aggressor = 0; aggressor < classes; aggressor++) {
      rows[2 * aggressor] = victim * gpus + gpu;
      rows[2 * aggressor + 1] = aggressor * gpus + gpu;
    }
    float[] answers = new float[classes * scorer.outputs()];
    scorer.score(rows, classes, answers);
    double total = 0;
    for (int aggressor = 0; aggressor < classes; aggressor++) {
      double average = average(answers, aggressor * scorer.outputs(), scorer.outputs());
      mean[cell(victim, aggressor, gpu)] = (float) average;
      total += average;
    }
    mean[cell(victim, classes, gpu)] = (float) (total / classes);
  }

  private void fillAverage(int gpu) {
    for (int aggressor = 0; aggressor <= classes; aggressor++) {
      double total = 0;
      for (int victim = 0; victim < classes; victim++) {
        total += mean(victim, aggressor, gpu);
      }
      mean[cell(classes, aggressor, gpu)] = (float) (total / classes);
    }
  }

  private static double average(float[] answers, int from, int members) {
    double sum = 0;
    for (int i = from; i < from + members; i++) {
      sum += answers[i];
    }
    return sum / members;
  }
}
