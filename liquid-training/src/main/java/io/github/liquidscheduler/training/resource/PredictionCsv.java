package io.github.liquidscheduler.training.resource;

import io.github.liquidscheduler.estimator.resource.LearnedResourceEstimator;
import io.github.liquidscheduler.estimator.resource.ResourceModel;
import io.github.liquidscheduler.estimator.resource.ResourceTarget;
import io.github.liquidscheduler.estimator.resource.TaskEstimate;
import io.github.liquidscheduler.prediction.Prediction;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/**
 * Writes a table of tasks with their estimates appended: for every target its prediction and the
 * ends of its 90 % interval, then the device memory to request. An infinite end, and a missing
 * prediction, is an empty cell.
 */
public final class PredictionCsv {
  private PredictionCsv() {}

  /** Writes the table with what {@code model} estimates. */
  public static void write(Path file, ResourceCsv table, ResourceModel model) throws IOException {
    LearnedResourceEstimator estimator = LearnedResourceEstimator.of(model);
    CSVFormat format = CSVFormat.DEFAULT.builder().setRecordSeparator("\n").get();
    try (Writer writer = Files.newBufferedWriter(file);
        CSVPrinter printer = new CSVPrinter(writer, format)) {
      printer.printRecord(header(table));
      for (int i = 0; i < table.samples().size(); i++) {
        List<String> cells = new ArrayList<>(table.cells().get(i));
        append(cells, estimator.estimate(table.samples().get(i).task()));
        printer.printRecord(cells);
      }
    }
  }

  private static List<String> header(ResourceCsv table) {
    List<String> header = new ArrayList<>(table.header());
    for (ResourceTarget target : ResourceTarget.values()) {
      header.add(target.column() + "_predicted");
      header.add(target.column() + "_low");
      header.add(target.column() + "_high");
    }
    header.add("gpu_memory_bytes_requested");
    return header;
  }

  private static void append(List<String> cells, TaskEstimate estimate) {
    for (ResourceTarget target : ResourceTarget.values()) {
      Prediction prediction = estimate.of(target);
      cells.add(text(prediction.value()));
      cells.add(text(prediction.low()));
      cells.add(text(prediction.high()));
    }
    cells.add(Long.toString(estimate.gpuMemoryRequested().bytes()));
  }

  private static String text(double value) {
    return Double.isFinite(value) ? Double.toString(value) : "";
  }
}
