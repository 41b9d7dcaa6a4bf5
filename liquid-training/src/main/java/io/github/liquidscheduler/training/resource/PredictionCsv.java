package io.github.liquidscheduler.training.resource;

import io.github.liquidscheduler.estimator.resource.LearnedResourceEstimator;
import io.github.liquidscheduler.estimator.task.ResourceTarget;
import io.github.liquidscheduler.estimator.task.TaskEstimate;
import io.github.liquidscheduler.estimator.task.prior.MemoryParts;
import io.github.liquidscheduler.estimator.task.prior.TaskFacts;
import io.github.liquidscheduler.prediction.Prediction;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * Writes a table of tasks with their estimates appended: for every target its prediction and the
 * ends of its 90 % interval, then the device memory to request. An infinite end, and a missing
 * prediction, is an empty cell. An explanation is the source of every target, and the parts of the
 * device memory by arithmetic.
 */
public final class PredictionCsv {
  private static final double MEBIBYTE = 1 << 20;

  private PredictionCsv() {}

  /** Writes the table with what is estimated, and with sources and parts if it is explained. */
  public static void write(
      Path file, ResourceCsv table, LearnedResourceEstimator estimator, boolean isExplained)
      throws IOException {
    List<List<String>> cells =
        table.samples().stream()
            .map(sample -> cells(estimator.estimate(sample.task()), isExplained))
            .toList();
    table.table().writeWith(file, columns(isExplained), cells);
  }

  private static List<String> columns(boolean isExplained) {
    List<String> columns = new ArrayList<>();
    for (ResourceTarget target : ResourceTarget.values()) {
      columns.add(target.column() + "_predicted");
      columns.add(target.column() + "_low");
      columns.add(target.column() + "_high");
    }
    columns.add("gpu_memory_bytes_requested");
    if (isExplained) {
      for (ResourceTarget target : ResourceTarget.values()) {
        columns.add(target.column() + "_source");
      }
      columns.add("gpu_memory_parts");
    }
    return columns;
  }

  private static List<String> cells(TaskEstimate estimate, boolean isExplained) {
    List<String> cells = new ArrayList<>();
    for (ResourceTarget target : ResourceTarget.values()) {
      Prediction prediction = estimate.of(target);
      cells.add(text(prediction.value()));
      cells.add(text(prediction.low()));
      cells.add(text(prediction.high()));
    }
    cells.add(Long.toString(estimate.gpuMemoryRequested().bytes()));
    if (isExplained) {
      for (ResourceTarget target : ResourceTarget.values()) {
        cells.add(estimate.of(target).provenance().toString().toLowerCase(Locale.ROOT));
      }
      cells.add(parts(new TaskFacts(estimate.task())));
    }
    return cells;
  }

  private static String parts(TaskFacts facts) {
    if (!facts.hasPrior()) {
      return "unknown";
    }
    MemoryParts parts = facts.memoryParts();
    StringJoiner text = new StringJoiner("; ");
    add(text, "process", parts.process());
    add(text, "weights", parts.weights());
    add(text, "gradients", parts.gradients());
    add(text, "optimizer state", parts.optimizerState());
    add(text, "activations", parts.activations());
    add(text, "keys and values", parts.cache());
    add(text, "scratch", parts.scratch());
    add(text, "allocator", parts.spare());
    return text.toString();
  }

  private static void add(StringJoiner text, String part, double bytes) {
    if (bytes > 0) {
      text.add(String.format(Locale.ROOT, "%s %.0f MiB", part, bytes / MEBIBYTE));
    }
  }

  private static String text(double value) {
    return Double.isFinite(value) ? Double.toString(value) : "";
  }
}
