package io.github.liquidscheduler.placement.fragmentation;

import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import java.util.Arrays;

/**
 * The amounts left on a node.
 *
 * @param cpu CPU in millicores
 * @param shares thousandths of each GPU; 0 of one that is lost
 */
@SuppressWarnings("ArrayRecordComponent") // compared by its content, below
record Remainder(long cpu, int[] shares) {

  static Remainder of(CapacityIndex index, int node) {
    int[] shares = new int[index.gpus(node)];
    for (int gpu = 0; gpu < shares.length; gpu++) {
      shares[gpu] = index.isLost(node, gpu) ? 0 : index.freeShare(node, gpu);
    }
    return new Remainder(index.freeCpu(node), shares);
  }

  /** Returns the thousandths of all GPUs. */
  int total() {
    int total = 0;
    for (int share : shares) {
      total += share;
    }
    return total;
  }

  /** Returns true if a task fits. */
  boolean serves(TaskKind task) {
    int missing = task.gpus();
    for (int gpu = 0; gpu < shares.length && missing > 0; gpu++) {
      missing -= shares[gpu] >= task.share() ? 1 : 0;
    }
    return missing == 0 && cpu >= task.cpu();
  }

  /** Returns the thousandths on GPUs that have less left than a task needs of one. */
  int tooSmallFor(TaskKind task) {
    int sum = 0;
    for (int share : shares) {
      sum += share < task.share() ? share : 0;
    }
    return sum;
  }

  /** Returns the remainder after a task took a share of a GPU. */
  Remainder without(TaskKind task, int gpu) {
    int[] after = shares.clone();
    after[gpu] -= task.share();
    return new Remainder(cpu - task.cpu(), after);
  }

  /** Returns the remainder after a task took whole GPUs, the first free ones. */
  Remainder without(TaskKind task) {
    int[] after = shares.clone();
    int missing = task.gpus();
    for (int gpu = 0; gpu < after.length && missing > 0; gpu++) {
      if (after[gpu] == GpuPool.WHOLE) {
        after[gpu] = 0;
        missing--;
      }
    }
    return new Remainder(cpu - task.cpu(), after);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Remainder that && cpu == that.cpu && Arrays.equals(shares, that.shares);
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(cpu) + Arrays.hashCode(shares);
  }
}
