package io.github.liquidscheduler.placement.eviction;

import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.placement.gang.GangShape;
import io.github.liquidscheduler.placement.gang.TaskShape;

/**
 * The number of tasks of one role of an exclusive job that a node holds: an upper bound for any
 * placer, as if the node held no other role.
 */
final class RoleCapacity {

  /** The result of {@link #free} for nodes that the job may not use. */
  static final int NOT_ALLOWED = -1;

  private final CapacityIndex index;
  private final GangShape gang;
  private final TaskShape task;
  private final boolean[] pools;

  /** The free share of each GPU. */
  @FunctionalInterface
  interface FreeShares {

    /** Returns the free share of a GPU of a node, in thousandths. */
    int of(int node, int gpu);
  }

  RoleCapacity(CapacityIndex index, GangShape gang, TaskShape task) {
    this.index = index;
    this.gang = gang;
    this.task = task;
    pools = new boolean[index.pools().size()];
    for (int pool = 0; pool < pools.length; pool++) {
      pools[pool] = gang.allows(task, index.pools().get(pool));
    }
  }

  /** Returns the request of each task. */
  TaskShape task() {
    return task;
  }

  /** Returns the number of tasks. */
  int count() {
    return task.role().count();
  }

  /** Returns the GPUs of a node, or the shares of its GPUs, that are free for tasks. */
  int free(int node) {
    int whole = gang.allows(task, node) ? index.freeGpus(node, pools) : NOT_ALLOWED;
    return whole != NOT_ALLOWED && task.isShare() ? shares(node) : whole;
  }

  private int shares(int node) {
    int shares = 0;
    for (int gpu = 0; gpu < index.gpus(node); gpu++) {
      if (pools[index.poolOf(node, gpu)] && !index.isLost(node, gpu)) {
        long memories =
            task.gpuMemory() == 0
                ? Integer.MAX_VALUE
                : index.freeGpuMemory(node, gpu) / task.gpuMemory();
        shares += (int) Math.min(index.freeShare(node, gpu) / task.share(), memories);
      }
    }
    return shares;
  }

  /** Returns the additional tasks on GPUs of a node of which victims release shares. */
  private int onSharedGpus(int node, FreeShares free, NodeSet.Amounts left) {
    int first = index.topology().gpusBefore(node);
    int more = 0;
    for (int gpu = 0; gpu < index.gpus(node); gpu++) {
      int share = left.shareOfGpu(first + gpu);
      if (share > 0 && pools[index.poolOf(node, gpu)] && !index.isLost(node, gpu)) {
        more += onSharedGpu(free.of(node, gpu), share);
      }
    }
    return more;
  }

  private int onSharedGpu(int free, int left) {
    // If device memory may have been too small, no free share was counted.
    int counted = task.gpuMemory() == 0 ? free / task.share() : 0;
    return (free + left) / task.share() - counted;
  }

  /**
   * Returns an upper bound of the tasks that fit on a node.
   *
   * @param free the result of {@link #free}
   * @param freeShares the free shares of its GPUs without victims
   * @param cpu the free CPU, in millicores
   * @param memory the free host memory, in bytes
   * @param left the amounts that victims release
   */
  int fitting(
      int node, int free, FreeShares freeShares, long cpu, long memory, NodeSet.Amounts left) {
    int most = count();
    if (task.gpus() > 0) {
      int gpus = free + left.gpus(node) * (GpuPool.WHOLE / task.share());
      if (left.share(node) > 0) {
        gpus += onSharedGpus(node, freeShares, left);
      }
      most = Math.min(most, gpus / task.gpus());
    }
    most = fitting(most, task.cpu(), cpu + left.cpu(node));
    return fitting(most, task.memory(), memory + left.memory(node));
  }

  /**
   * Returns the number of tasks for which an amount suffices; multiplying is faster than dividing.
   */
  private static int fitting(int most, long each, long amount) {
    return most * (double) each > amount ? (int) (amount / each) : most;
  }
}
