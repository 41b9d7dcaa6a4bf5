package io.github.liquidscheduler.simulator.usage;

import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.ResourceUsage;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import java.time.Duration;

/**
 * The true usage of each task of a job: the largest memory and mean utilisation, from 0 to 1, of
 * each of its GPUs, and the largest CPU use and host memory.
 */
public record Usage(
    Workload workload, Memory gpuMemory, double gpuUtilization, CpuCores cpu, Memory memory) {

  /** Returns the measurements of a run without co-runners. */
  ResourceUsage measured(Duration ran) {
    return ResourceUsage.builder()
        .gpuMemory(gpuMemory)
        .gpuUtilization(gpuUtilization, 0)
        .cpu(cpu)
        .memory(memory)
        .phases(Duration.ZERO, Duration.ZERO, ran)
        .build();
  }
}
