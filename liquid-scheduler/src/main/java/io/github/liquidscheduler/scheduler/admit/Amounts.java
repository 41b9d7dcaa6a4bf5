package io.github.liquidscheduler.scheduler.admit;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;

/** Amounts of a GPU or a host: compute or cores in thousandths, and memory in bytes. */
record Amounts(long compute, long memory) {

  static final Amounts NONE = new Amounts(0, 0);

  static Amounts ofGpu(ResourceRequest request) {
    return new Amounts(
        request.share().orElse(GpuShare.WHOLE).thousandths(),
        request.gpuMemory().orElse(Memory.ZERO).bytes());
  }

  static Amounts of(Resident resident) {
    return new Amounts(resident.share().thousandths(), resident.memory().bytes());
  }

  static Amounts ofHost(Placement placement, NodeId node) {
    return placement.tasks().stream()
        .filter(task -> task.node().equals(node))
        .map(
            task ->
                new Amounts(
                    task.request().cpu().orElse(CpuCores.ZERO).millicores(),
                    task.request().memory().orElse(Memory.ZERO).bytes()))
        .reduce(NONE, Amounts::plus);
  }

  Amounts plus(Amounts other) {
    return new Amounts(compute + other.compute, memory + other.memory);
  }

  Amounts minus(Amounts other) {
    return new Amounts(compute - other.compute, memory - other.memory);
  }

  boolean covers(Amounts needed) {
    return lacking(needed).equals(NONE);
  }

  Amounts lacking(Amounts needed) {
    return new Amounts(Math.max(0, needed.compute - compute), Math.max(0, needed.memory - memory));
  }

  boolean helps(Amounts lacking) {
    return (compute > 0 && lacking.compute > 0) || (memory > 0 && lacking.memory > 0);
  }
}
