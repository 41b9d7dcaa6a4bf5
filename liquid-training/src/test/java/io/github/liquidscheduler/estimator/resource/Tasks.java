package io.github.liquidscheduler.estimator.resource;

import io.github.liquidscheduler.estimator.task.TaskProfile;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.ResourceUsage;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;

/** Jobs and usages with harmless defaults. */
final class Tasks {
  static final GpuModel V100 = GpuModel.of("V100");
  static final TaskRole WORKER = new TaskRole("worker", 1, ResourceRequest.ofGpus(1));

  private Tasks() {}

  static JobSpec job(String family, int batch) {
    return JobSpec.builder("job").workload(workload(family, batch)).role(WORKER).build();
  }

  private static Workload workload(String family, int batch) {
    return Workload.builder(family).framework("pytorch").batchSize(batch).build();
  }

  static TaskProfile.Builder task(String family) {
    return TaskProfile.builder(workload(family, 32)).gpu("V100");
  }

  static ResourceUsage used(Memory memory) {
    return ResourceUsage.builder().gpuMemory(memory).build();
  }
}
