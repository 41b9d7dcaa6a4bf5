package io.github.liquidscheduler.training.resource;

import io.github.liquidscheduler.estimator.resource.LearnedResourceEstimator;
import io.github.liquidscheduler.estimator.task.ResourceTarget;
import io.github.liquidscheduler.estimator.task.TaskEstimate;
import io.github.liquidscheduler.prediction.Prediction;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes a table of tasks with their estimates appended: for every target its prediction and the
 * ends of its 90 % interval, then the device memory to request. An infinite end, and a missing
 * prediction, is an empty cell.
 */
public final class PredictionCsv {
  private PredictionCsv() {}

  /** Writes the table with what is estimated. */
  public static void write(Path file, ResourceCsv table, LearnedResourceEstimator estimator)
      throws IOException {
    List<List<String>> cells =
        table.samples().stream().map(sample -> cells(estimator.estimate(sample.task()))).toList();
    table.table().writeWith(file, columns(), cells);
  }

  private static List<String> columns() {
    List<String> columns = new ArrayList<>();
    for (ResourceTarget target : ResourceTarget.values()) {
      columns.add(target.column() + "_predicted");
      columns.add(target.column() + "_low");
      columns.add(target.column() + "_high");
    }
    columns.add("gpu_memory_bytes_requested");
    return columns;
  }

  private static List<String> cells(TaskEstimate estimate) {
    List<String> cells = new ArrayList<>();
    for (ResourceTarget target : ResourceTarget.values()) {
      Prediction prediction = estimate.of(target);
      cells.add(text(prediction.value()));
      cells.add(text(prediction.low()));
      cells.add(text(prediction.high()));
    }
    cells.add(Long.toString(estimate.gpuMemoryRequested().bytes()));
    return cells;
  }

  private static String text(double value) {
    return Double.isFinite(value) ? Double.toString(value) : "";
  }
}
