package io.github.liquidscheduler.estimator.interference;

import io.github.liquidscheduler.estimator.onnx.BatchScorer;
import io.github.liquidscheduler.estimator.onnx.Feature;
import io.github.liquidscheduler.estimator.onnx.ModelFile;
import io.github.liquidscheduler.estimator.workload.InterferenceSchema;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** A loaded interference model, network or trees, that scores batches of pairs. Not thread-safe. */
final class PairModel implements AutoCloseable {
  private static final double WORST_ERROR = 0.5;

  private final ModelFile file;
  private final BatchScorer scorer;
  private final SortedMap<String, Double> familiarError;
  private final SortedMap<String, Double> strangeError;
  private final float[] means;
  private final float[] rows;
  private final float[] answers;
  private @Nullable Promise lastPromise;

  PairModel(ModelFile file) {
    this.file = file;
    familiarError = InterferenceSchema.familiarError(file);
    strangeError = InterferenceSchema.strangeError(file);
    List<Feature> columns = file.metadata().features();
    means = new float[columns.size()];
    for (int i = 0; i < means.length; i++) {
      means[i] = (float) columns.get(i).mean();
    }
    rows = new float[PairBatch.CAPACITY * means.length];
    answers = new float[PairBatch.CAPACITY * InterferenceSchema.OUTPUTS];
    scorer = file.scorer();
  }

  /** The 90 % errors promised on one GPU model, and whether they were measured there. */
  private record Promise(GpuModel gpu, double familiar, double strange, boolean isMeasured) {}

  private Promise promise(GpuModel gpu) {
    Promise last = lastPromise;
    if (last == null || !last.gpu().equals(gpu)) {
      boolean isMeasured = strangeError.containsKey(gpu.name());
      last = new Promise(gpu, error(familiarError, gpu), error(strangeError, gpu), isMeasured);
      lastPromise = last;
    }
    return last;
  }

  private double error(SortedMap<String, Double> errors, GpuModel gpu) {
    Double error = errors.get(gpu.name());
    if (error != null) {
      return error;
    }
    double widest = 0;
    for (double each : strangeError.values()) {
      widest = Math.max(widest, each);
    }
    return Math.max(widest, WORST_ERROR);
  }

  /** Adds each pair's answer, by its inverse variance, to the batch. */
  void score(PairBatch batch) {
    for (int pair = 0; pair < batch.size(); pair++) {
      writeRow(batch.row(pair), pair * means.length);
    }
    scorer.score(rows, batch.size(), answers);
    for (int pair = 0; pair < batch.size(); pair++) {
      Promise promise = promise(batch.gpu(pair));
      int answer = pair * InterferenceSchema.OUTPUTS;
      if (batch.isFamiliar(pair)) {
        batch.add(pair, answers[answer], promise.familiar(), promise.isMeasured());
      } else {
        batch.add(pair, answers[answer + 1], promise.strange(), promise.isMeasured());
      }
    }
  }

  private void writeRow(double[] row, int at) {
    for (int column = 0; column < means.length; column++) {
      double value = row[column];
      rows[at + column] = Double.isFinite(value) ? (float) value : means[column];
    }
  }

  @Override
  public void close() {
    scorer.close();
    file.close();
  }
}
