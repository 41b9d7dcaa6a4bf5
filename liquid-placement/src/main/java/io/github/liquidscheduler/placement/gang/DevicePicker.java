package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Picks GPUs of a node for tasks, near each other where possible: in one NVLink group and one NUMA
 * node, else in one NVLink group, else in one NUMA node; for all the tasks together if one of these
 * holds them, else for each task. Of several the smallest sufficient one is taken, so that large
 * ones stay whole.
 */
public record DevicePicker(CapacityIndex index) {

  /** The degrees of nearness, the nearest first. */
  private static final int GROUP_AND_NUMA_NODE = 0;

  private static final int GROUP = 1;
  private static final int NUMA_NODE = 2;

  /**
   * Returns {@code tasks} times {@code gpus} free GPUs of the pool, those of each task adjacent and
   * ascending. The node has that many.
   */
  public int[] pick(GpuPool pool, int node, int tasks, int gpus) {
    boolean[] free = free(pool, node);
    int[] picked = new int[tasks * gpus];
    if (tasks == 1 && count(free) == gpus) {
      take(free, picked);
      return picked;
    }
    List<Gpu> devices = index.topology().nodes().get(node).gpus();
    @Nullable Near together = near(devices, free, tasks * gpus);
    if (together != null) {
      keepOnly(together, devices, free);
    }
    if (together != null && gpus == 1) {
      take(free, picked);
      return picked;
    }
    for (int task = 0; task < tasks; task++) {
      pick(devices, free, picked, task * gpus, gpus);
    }
    return picked;
  }

  /**
   * Returns the partly held GPU of the pool with the least sufficient free share and enough device
   * memory; -1 if there is none.
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

  private static int count(boolean[] free) {
    int count = 0;
    for (boolean isFree : free) {
      count += isFree ? 1 : 0;
    }
    return count;
  }

  private static void take(boolean[] free, int[] picked) {
    int at = 0;
    for (int gpu = 0; at < picked.length; gpu++) {
      if (free[gpu]) {
        picked[at++] = gpu;
      }
    }
  }

  private static void pick(List<Gpu> devices, boolean[] free, int[] picked, int from, int gpus) {
    boolean[] usable = free.clone();
    @Nullable Near all = near(devices, free, gpus);
    if (all != null) {
      keepOnly(all, devices, usable);
    }
    int at = from;
    while (at < from + gpus) {
      Near near = nextGroup(devices, usable, from + gpus - at);
      for (int gpu = 0; gpu < free.length && at < from + gpus; gpu++) {
        if (usable[gpu] && near.holds(devices.get(gpu))) {
          usable[gpu] = false;
          free[gpu] = false;
          picked[at++] = gpu;
        }
      }
    }
    Arrays.sort(picked, from, from + gpus);
  }

  /** Returns the smallest sufficient NVLink group, else the largest. */
  private static Near nextGroup(List<Gpu> devices, boolean[] free, int gpus) {
    @Nullable Near near = near(devices, free, gpus);
    return near == null || near.nearness == NUMA_NODE ? largestGroup(devices, free) : near;
  }

  /** Returns the nearest set of free GPUs, the smallest sufficient one; null if there is none. */
  private static @Nullable Near near(List<Gpu> devices, boolean[] free, int gpus) {
    @Nullable Near best = null;
    for (int nearness = GROUP_AND_NUMA_NODE; best == null && nearness <= NUMA_NODE; nearness++) {
      int bestCount = Integer.MAX_VALUE;
      for (int gpu = 0; gpu < free.length; gpu++) {
        if (free[gpu] && (best == null || !best.holds(devices.get(gpu)))) {
          Near near = new Near(nearness, devices.get(gpu));
          int count = count(near, devices, free);
          if (count >= gpus && count < bestCount) {
            best = near;
            bestCount = count;
          }
        }
      }
    }
    return best;
  }

  /** Returns the NVLink group with the most free GPUs, of which there is one. */
  private static Near largestGroup(List<Gpu> devices, boolean[] free) {
    Near best = new Near(GROUP, devices.get(0));
    for (int gpu = 0; gpu < free.length; gpu++) {
      Near near = new Near(GROUP, devices.get(gpu));
      if (free[gpu] && count(near, devices, free) > count(best, devices, free)) {
        best = near;
      }
    }
    return best;
  }

  private static int count(Near near, List<Gpu> devices, boolean[] free) {
    int count = 0;
    for (int gpu = 0; gpu < free.length; gpu++) {
      count += free[gpu] && near.holds(devices.get(gpu)) ? 1 : 0;
    }
    return count;
  }

  private static void keepOnly(Near near, List<Gpu> devices, boolean[] free) {
    for (int gpu = 0; gpu < free.length; gpu++) {
      free[gpu] &= near.holds(devices.get(gpu));
    }
  }

  /** The GPUs near one of them. */
  private record Near(int nearness, Gpu to) {

    boolean holds(Gpu gpu) {
      return (nearness == NUMA_NODE || gpu.nvlinkGroup() == to.nvlinkGroup())
          && (nearness == GROUP || gpu.numaNode() == to.numaNode());
    }
  }
}
