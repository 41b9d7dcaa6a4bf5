package io.github.liquidscheduler.cli.prediction;

import io.github.liquidscheduler.cli.output.Table;
import io.github.liquidscheduler.estimator.task.ResourceTarget;
import io.github.liquidscheduler.estimator.task.TaskEstimate;
import io.github.liquidscheduler.estimator.task.prior.GpuSpecification;
import io.github.liquidscheduler.estimator.task.prior.MemoryParts;
import io.github.liquidscheduler.estimator.task.prior.TaskFacts;
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
    impossible(facts).ifPresent(lines::add);
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

  private Optional<String> impossible(TaskFacts facts) {
    double least = estimate.of(ResourceTarget.GPU_MEMORY).low();
    return facts.gpu().filter(gpu -> gpu.memoryBytes() < least).map(gpu -> doesNotFit(gpu, least));
  }

  private static String doesNotFit(GpuSpecification gpu, double least) {
    return "It cannot fit: a %s has %s, and at least %s are needed."
        .formatted(gpu.name(), memory(gpu.memoryBytes()), memory(least));
  }

  private static String memory(double bytes) {
    return Memory.ofBytes(Math.round(bytes)).toString();
  }
}
