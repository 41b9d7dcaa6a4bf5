package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;

/**
 * The request of each task of a role in plain numbers.
 *
 * @param role the role
 * @param gpus GPUs
 * @param share share of the GPU in thousandths; 1000 if whole
 * @param gpuMemory device memory on each GPU in bytes
 * @param cpu CPU in millicores
 * @param memory host memory in bytes
 */
public record TaskShape(TaskRole role, int gpus, int share, long gpuMemory, long cpu, long memory) {

  /** Returns the request of each task of a role. */
  public static TaskShape of(TaskRole role) {
    ResourceRequest request = role.request();
    return new TaskShape(
        role,
        request.gpus(),
        request.share().orElse(GpuShare.WHOLE).thousandths(),
        request.gpuMemory().orElse(Memory.ZERO).bytes(),
        request.cpu().orElse(CpuCores.ZERO).millicores(),
        request.memory().orElse(Memory.ZERO).bytes());
  }

  /** Returns whether it takes a part of a GPU only. */
  public boolean isShare() {
    return share < 1000;
  }

  /** Returns the whole GPUs of one task; a share needs none. */
  int wholeGpus() {
    return isShare() ? 0 : gpus;
  }

  /**
   * Returns how many tasks, at most {@code enough}, the slot has wholly free GPUs and all else for.
   */
  public int fitting(CapacityIndex index, GpuPool pool, int slot, int enough) {
    int node = pool.nodeOf(slot);
    long tasks = enough;
    if (gpus > 0) {
      tasks = Math.min(tasks, pool.free(slot) / gpus);
    }
    if (cpu > 0) {
      tasks = Math.min(tasks, index.freeCpu(node) / cpu);
    }
    if (memory > 0) {
      tasks = Math.min(tasks, index.freeMemory(node) / memory);
    }
    return (int) tasks;
  }
}
