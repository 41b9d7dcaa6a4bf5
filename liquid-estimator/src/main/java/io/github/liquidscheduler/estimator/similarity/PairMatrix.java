package io.github.liquidscheduler.estimator.similarity;

import io.github.liquidscheduler.estimator.onnx.BatchScorer;
import io.github.liquidscheduler.estimator.onnx.ModelFile;

/**
 * The retained speed of every class beside every other on every GPU model, computed once when a
 * model is loaded: what is asked while deciding is only looked up. 500 classes on 4 GPU models take
 * 8 MB.
 */
final class PairMatrix {
  private static final int BATCH = 256;

  private final int classes;
  private final int gpus;
  private final float[] mean;
  private final float[] spread;

  private PairMatrix(int classes, int gpus) {
    this.classes = classes;
    this.gpus = gpus;
    mean = new float[gpus * classes * classes];
    spread = new float[mean.length];
  }

  static PairMatrix of(ModelFile model, int classes, int gpus) {
    PairMatrix matrix = new PairMatrix(classes, gpus);
    try (BatchScorer scorer = model.scorer()) {
      for (int cell = 0; cell < matrix.mean.length; cell += BATCH) {
        matrix.fill(scorer, cell, Math.min(BATCH, matrix.mean.length - cell));
      }
    }
    return matrix;
  }

  double mean(int victim, int aggressor, int gpu) {
    return mean[cell(victim, aggressor, gpu)];
  }

  /** Returns how far the members of the ensemble are apart: their standard deviation. */
  double spread(int victim, int aggressor, int gpu) {
    return spread[cell(victim, aggressor, gpu)];
  }

  private int cell(int victim, int aggressor, int gpu) {
    return (gpu * classes + victim) * classes + aggressor;
  }

  private void fill(BatchScorer scorer, int first, int count) {
    float[] rows = new float[count * 2];
    for (int i = 0; i < count; i++) {
      int cell = first + i;
      int gpu = cell / (classes * classes);
      rows[2 * i] = cell / classes % classes * gpus + gpu;
      rows[2 * i + 1] = cell % classes * gpus + gpu;
    }
    float[] answers = new float[count * scorer.outputs()];
    scorer.score(rows, count, answers);
    for (int i = 0; i < count; i++) {
      summarize(answers, i * scorer.outputs(), scorer.outputs(), first + i);
    }
  }

  private void summarize(float[] answers, int from, int members, int cell) {
    double sum = 0;
    double squares = 0;
    for (int i = from; i < from + members; i++) {
      sum += answers[i];
      squares += (double) answers[i] * answers[i];
    }
    double average = sum / members;
    mean[cell] = (float) average;
    spread[cell] = (float) Math.sqrt(Math.max(0, squares / members - average * average));
  }
}
