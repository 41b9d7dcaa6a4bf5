package io.github.liquidscheduler.cli.prediction;

import io.github.liquidscheduler.cli.output.DisplayFormat;
import io.github.liquidscheduler.cli.output.Table;
import io.github.liquidscheduler.estimator.task.ResourceTarget;
import io.github.liquidscheduler.estimator.task.TaskEstimate;
import io.github.liquidscheduler.estimator.task.prior.TaskFacts;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.Memory;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The expected needs of a task, in units for people. */
record EstimateTable(TaskEstimate estimate) {

  private static final double MOST_SECONDS = Long.MAX_VALUE / 1e9;

  List<String> lines() {
    Table table = Table.of("resource | estimate | 90 % interval | source").endingInText();
    for (ResourceTarget target : ResourceTarget.values()) {
      Prediction prediction = estimate.of(target);
      table.row(
          List.of(
              name(target),
              text(target, prediction.value()),
              interval(target, prediction),
              prediction.provenance().toString().toLowerCase(Locale.ROOT)));
    }
    Memory upperEnd = estimate.gpuMemoryRequested();
    Optional<Memory> device = device().filter(memory -> memory.compareTo(upperEnd) < 0);
    table.row(
        List.of(
            "GPU memory to request",
            device.orElse(upperEnd).toString(),
            "",
            device.isPresent() ? "whole device" : "upper end"));
    return table.lines();
  }

  /** Returns the memory of the GPU model; empty if it is not known. */
  private Optional<Memory> device() {
    return new TaskFacts(estimate.task())
        .gpu()
        .map(gpu -> Memory.ofBytes(Math.round(gpu.memoryBytes())));
  }

  private static String interval(ResourceTarget target, Prediction prediction) {
    return prediction.provenance() == Provenance.DEFAULT
        ? "-"
        : text(target, prediction.low()) + " to " + text(target, prediction.high());
  }

  private static String name(ResourceTarget target) {
    return switch (target) {
      case GPU_MEMORY -> "GPU memory";
      case GPU_UTILIZATION -> "GPU utilization";
      case GPU_UTILIZATION_DEVIATION -> "GPU utilization, deviation";
      case CPU -> "CPU cores";
      case HOST_MEMORY -> "host memory";
      case NETWORK_RECEIVED -> "network, received";
      case NETWORK_SENT -> "network, sent";
      case PRE -> "time before the GPU is used";
      case POST -> "time after the GPU is used";
      case TOTAL -> "total time";
    };
  }

  private static String text(ResourceTarget target, double value) {
    if (value >= most(target)) {
      return "unknown";
    }
    return switch (target) {
      case GPU_MEMORY, HOST_MEMORY -> Memory.ofBytes(Math.round(value)).toString();
      case GPU_UTILIZATION, GPU_UTILIZATION_DEVIATION ->
          String.format(Locale.ROOT, "%.0f %%", 100 * value);
      case CPU -> String.format(Locale.ROOT, "%.1f", value);
      case NETWORK_RECEIVED, NETWORK_SENT -> new Bandwidth(Math.round(value)).toString();
      case PRE, POST, TOTAL -> DisplayFormat.time(Duration.ofMillis(Math.round(1000 * value)));
    };
  }

  private static double most(ResourceTarget target) {
    return switch (target) {
      case PRE, POST, TOTAL -> MOST_SECONDS;
      default -> Long.MAX_VALUE;
    };
  }
}
