package io.github.liquidscheduler.simulator.usage;

import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.ResourceUsage;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import java.time.Duration;

/**
 * The true usage of each task of a job.
 *
 * @param workload its workload
 * @param gpuMemory largest device memory on each GPU
 * @param gpuUtilization mean utilisation of each GPU, from 0 to 1
 * @param cpu largest CPU use
 * @param memory largest host memory
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
