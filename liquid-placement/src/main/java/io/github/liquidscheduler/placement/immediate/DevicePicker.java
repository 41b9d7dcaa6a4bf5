package io.github.liquidscheduler.placement.immediate;

import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import java.util.Arrays;

/**
 * Picks GPUs of a node for tasks. GPUs of one task come from one NVLink group where possible: the
 * group with the least room that is enough, so that whole groups stay free.
 */
final class DevicePicker {

  private final CapacityIndex index;

  DevicePicker(CapacityIndex index) {
    this.index = index;
  }

  /**
   * Returns {@code tasks} times {@code gpus} free GPUs of the pool's kind, those of each task side
   * by side and ascending. The node has that many.
   */
  int[] pick(GpuPool pool, int node, int tasks, int gpus) {
    int[] picked = new int[tasks * gpus];
    boolean[] free = free(pool, node);
    for (int task = 0; task < tasks; task++) {
      pick(node, free, picked, task * gpus, gpus);
    }
    return picked;
  }

  /**
   * Returns the partly held GPU of the pool's kind with the least free share that is enough, and
   * enough device memory; -1 if there is none.
   */
  int pickShared(GpuPool pool, int node, TaskShape task) {
    int best = -1;
    for (int gpu = 0; gpu < index.gpus(node); gpu++) {
      int share = index.freeShare(node, gpu);
      if (share < 1000
          && share >= task.share()
          && index.freeGpuMemory(node, gpu) >= task.gpuMemory()
          && index.isOf(pool, node, gpu)
          && !index.isLost(node, gpu)
          && (best < 0 || share < index.freeShare(node, best))) {
        best = gpu;
      }
    }
    return best;
  }

  private boolean[] free(GpuPool pool, int node) {
    boolean[] free = new boolean[index.gpus(node)];
    for (int gpu = 0; gpu < free.length; gpu++) {
      free[gpu] = index.isFree(pool, node, gpu);
    }
    return free;
  }

  private void pick(int node, boolean[] free, int[] picked, int from, int gpus) {
    int at = from;
    int group = bestGroup(node, free, gpus);
    while (at < from + gpus) {
      for (int gpu = 0; gpu < free.length && at < from + gpus; gpu++) {
        if (free[gpu] && index.nvlinkGroup(node, gpu) == group) {
          free[gpu] = false;
          picked[at++] = gpu;
        }
      }
      group = bestGroup(node, free, from + gpus - at);
    }
    Arrays.sort(picked, from, from + gpus);
  }

  /** Returns the group with the fewest free GPUs that are enough, else the one with the most. */
  private int bestGroup(int node, boolean[] free, int gpus) {
    int best = -1;
    int bestCount = 0;
    for (int gpu = 0; gpu < free.length; gpu++) {
      int group = index.nvlinkGroup(node, gpu);
      if (free[gpu] && group != best) {
        int count = count(node, free, group);
        boolean better =
            best < 0
                || (bestCount >= gpus ? count >= gpus && count < bestCount : count > bestCount);
        best = better ? group : best;
        bestCount = better ? count : bestCount;
      }
    }
    return best;
  }

  private int count(int node, boolean[] free, int group) {
    int count = 0;
    for (int gpu = 0; gpu < free.length; gpu++) {
      count += free[gpu] && index.nvlinkGroup(node, gpu) == group ? 1 : 0;
    }
    return count;
  }
}
