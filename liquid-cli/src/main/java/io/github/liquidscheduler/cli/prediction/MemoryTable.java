package io.github.liquidscheduler.cli.prediction;

import io.github.liquidscheduler.cli.output.Table;
import io.github.liquidscheduler.estimator.task.ResourceTarget;
import io.github.liquidscheduler.estimator.task.TaskEstimate;
import io.github.liquidscheduler.estimator.task.prior.GpuSpecification;
import io.github.liquidscheduler.estimator.task.prior.MemoryParts;
import io.github.liquidscheduler.estimator.task.prior.TaskFacts;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The parts of a task's device memory, and whether its GPU model has enough. */
record MemoryTable(TaskEstimate estimate) {

  /** Returns nothing for a task of unknown size. */
  List<String> lines() {
    TaskFacts facts = new TaskFacts(estimate.task());
    List<String> lines = new ArrayList<>();
    if (facts.hasPrior()) {
      lines.addAll(parts(facts.memoryParts()));
    }
    misfit(facts).ifPresent(lines::add);
    return lines;
  }

  private static List<String> parts(MemoryParts parts) {
    Table table = Table.of("GPU memory by arithmetic | ").endingInText();
    row(table, "process", parts.process());
    row(table, "weights", parts.weights());
    row(table, "gradients", parts.gradients());
    row(table, "optimizer state", parts.optimizerState());
    row(table, "activations", parts.activations());
    row(table, "keys and values", parts.cache());
    row(table, "scratch", parts.scratch());
    row(table, "allocator, spare", parts.spare());
    return table.lines();
  }

  private static void row(Table table, String part, double bytes) {
    if (bytes > 0) {
      table.row(List.of(part, memory(bytes)));
    }
  }

  /** Returns how sure it is that the task needs more than the device has, if it may. */
  private Optional<String> misfit(TaskFacts facts) {
    return facts.gpu().flatMap(gpu -> misfit(gpu, estimate.of(ResourceTarget.GPU_MEMORY)));
  }

  private Optional<String> misfit(GpuSpecification gpu, Prediction needed) {
    double device = gpu.memoryBytes();
    String has = "a %s has %s".formatted(gpu.name(), memory(device));
    if (needed.low() > device) {
      return Optional.of(
          "It cannot fit: %s, and at least %s are needed.".formatted(has, memory(needed.low())));
    }
    if (needed.value() > device) {
      return Optional.of(
          "It does not fit: %s, and %s are expected.".formatted(has, memory(needed.value())));
    }
    return estimate.gpuMemoryRequested().bytes() > device
            && needed.provenance() != Provenance.DEFAULT
        ? Optional.of(
            "It may not fit: %s, and up to %s may be needed."
                .formatted(has, estimate.gpuMemoryRequested()))
        : Optional.empty();
  }

  private static String memory(double bytes) {
    return Memory.ofBytes(Math.round(bytes)).toString();
  }
}
