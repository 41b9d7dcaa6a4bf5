package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;

/**
 * The request of each task of a role in plain numbers.
 *
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

  /** Returns true if it takes a part of a GPU only. */
  public boolean isShare() {
    return share < 1000;
  }

  /** Returns the number of node labels of its own. */
  int labels() {
    return role.nodeLabels().size();
  }

  /** Returns true if a task of another role has the same request and the same nodes. */
  boolean requestsLike(TaskShape other) {
    return gpus == other.gpus
        && share == other.share
        && gpuMemory == other.gpuMemory
        && cpu == other.cpu
        && memory == other.memory
        && role.nodeLabels().equals(other.role.nodeLabels());
  }

  /** Returns the whole GPUs of one task; a share needs none. */
  int wholeGpus() {
    return isShare() ? 0 : gpus;
  }

  /**
   * Returns the number of tasks for which these amounts suffice, {@link Integer#MAX_VALUE} if
   * nothing is requested; negative only if an amount is.
   *
   * @param freeGpus GPUs
   * @param freeCpu CPU in millicores
   * @param freeMemory host memory in bytes
   */
  public int fitting(int freeGpus, long freeCpu, long freeMemory) {
    long tasks = Integer.MAX_VALUE;
    if (gpus > 0) {
      tasks = Math.floorDiv(freeGpus, gpus);
    }
    if (cpu > 0) {
      tasks = Math.min(tasks, Math.floorDiv(freeCpu, cpu));
    }
    if (memory > 0) {
      tasks = Math.min(tasks, Math.floorDiv(freeMemory, memory));
    }
    return (int) tasks;
  }
}
