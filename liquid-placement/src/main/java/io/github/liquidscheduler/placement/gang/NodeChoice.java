package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/*
 * Idea: buckets of free GPUs from full to empty give the tightest node for all tasks, and from
 * empty to full the largest node; within a bucket GPUs are equal, so that only CPU and memory are
 * compared.
 * Invariants: nothing is taken here; nodes are chosen by bucket, then position; slots that hold no
 * task are no looks, since their number depends on the history of block bounds (NodeChoiceTest).
 * Cost: O(GPUs per node) buckets, O(log64 nodes) each, plus the slots that fail by CPU, memory or
 * labels; largest looks at LOOKS slots of a bucket at most; mayHold O(slots of the range).
 */
/**
 * Chooses the next node for tasks of a gang.
 *
 * @param picks the picks of the gang so far
 * @param usable the nodes that may be used, by position
 */
public record NodeChoice(CapacityIndex index, GangShape gang, Picks picks, IntPredicate usable) {

  /** The number of nodes of one bucket looked at for one that is limited by GPUs alone. */
  private static final int LOOKS = 32;

  /**
   * A node that holds some tasks.
   *
   * @param pool the pool of its GPUs
   * @param slot its slot in the pool
   * @param tasks the number of tasks that it holds, at least one
   */
  record Chosen(GpuPool pool, int slot, int tasks) {
    int node() {
      return pool.nodeOf(slot);
    }
  }

  /**
   * A GPU with a free share beside those held.
   *
   * @param pool the pool that it is in
   * @param node the position of its node
   * @param gpu its index on the node
   */
  public record SharedSlot(GpuPool pool, int node, int gpu) {}

  /** Returns the node with the fewest free GPUs that holds all of {@code tasks}; null if none. */
  @Nullable Chosen tightestForAll(TaskShape task, int tasks, NodeRange range, List<GpuPool> pools) {
    long gpus = (long) tasks * task.gpus();
    for (GpuPool pool : pools) {
      if (gpus <= pool.maxFree() && gang.allows(task, pool)) {
        int from = pool.firstSlot(range);
        int end = pool.endSlot(range);
        for (int free = (int) gpus; free <= pool.maxFree(); free++) {
          @Nullable Chosen found =
              findInBucket(task, tasks, pool, free, from, end, Integer.MAX_VALUE);
          if (found != null && found.tasks() >= tasks) {
            return found;
          }
        }
      }
    }
    return null;
  }

  /**
   * Returns a node that holds as many of {@code tasks} as any, or nearly so; null if none holds
   * one. Tasks without GPUs go where few GPUs are free.
   */
  @Nullable Chosen largest(TaskShape task, int tasks, NodeRange range, List<GpuPool> pools) {
    @Nullable Chosen best = null;
    for (GpuPool pool : pools) {
      int from = pool.firstSlot(range);
      int end = pool.endSlot(range);
      for (int step = 0; gang.allows(task, pool) && step <= pool.maxFree(); step++) {
        int free = task.gpus() == 0 ? step : pool.maxFree() - step;
        int enough = Math.min(tasks, mayHold(task, free));
        if (mayHold(task, free) <= tasksOn(best)) {
          break;
        }
        @Nullable Chosen found = findInBucket(task, enough, pool, free, from, end, LOOKS);
        best = tasksOn(found) > tasksOn(best) ? found : best;
      }
    }
    return best;
  }

  private static int tasksOn(@Nullable Chosen chosen) {
    return chosen == null ? 0 : chosen.tasks();
  }

  /**
   * Returns the GPU with the least sufficient free share among those partly held; null if there is
   * none.
   */
  public @Nullable SharedSlot besideOthers(
      TaskShape task, NodeRange range, List<GpuPool> pools, DevicePicker devices) {
    for (GpuPool pool : pools) {
      int from = pool.firstSlot(range);
      int end = pool.endSlot(range);
      for (int step = pool.shareStep(task.share());
          gang.allows(task, pool) && step < pool.shareSteps();
          step++) {
        @Nullable SharedSlot found = besideOthers(task, pool, step, from, end, devices);
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }

  /** Returns true if one more task fits on the chosen node. */
  boolean allowsOneMore(TaskShape task, Chosen chosen) {
    return gang.allows(task, chosen.pool()) && fitting(task, chosen.pool(), chosen.slot(), 1) > 0;
  }

  /** Returns false if the nodes of a range cannot hold this many tasks, even alone. */
  boolean mayHold(TaskShape task, int tasks, NodeRange range, List<GpuPool> pools) {
    int left = tasks;
    for (int i = 0; i < pools.size() && left > 0; i++) {
      GpuPool pool = pools.get(i);
      int end = gang.allows(task, pool) ? pool.endSlot(range) : 0;
      for (int slot = pool.firstSlot(range); slot < end && left > 0; slot++) {
        if (task.isShare()) {
          left -= Math.max(0, sharesOn(task, pool, slot));
        } else if (mayHoldOne(task, pool, slot)) {
          left -= Math.max(0, fitting(task, pool, slot, left));
        }
      }
    }
    return left <= 0;
  }

  /** Returns false if the slot's node has too little free for a task; cheaper than dividing. */
  private boolean mayHoldOne(TaskShape task, GpuPool pool, int slot) {
    int node = pool.nodeOf(slot);
    return task.gpus() <= pool.free(slot)
        && task.cpu() <= index.freeCpu(node)
        && task.memory() <= index.freeMemory(node);
  }

  private int sharesOn(TaskShape task, GpuPool pool, int slot) {
    int node = pool.nodeOf(slot);
    if (pool.mostWith(task.share(), slot) == 0 || !gang.allows(task, node)) {
      return 0;
    }
    int byGpus = 0;
    for (int gpu = 0; gpu < index.gpus(node); gpu++) {
      byGpus += index.isLost(node, gpu) ? 0 : index.freeShare(node, gpu) / task.share();
    }
    int byNode = task.fitting(Integer.MAX_VALUE, index.freeCpu(node), index.freeMemory(node));
    return Math.min(byGpus, byNode);
  }

  /** Returns the number of tasks that fit on the slot's node, cut at {@code enough}. */
  public int fitting(TaskShape task, GpuPool pool, int slot, int enough) {
    int node = pool.nodeOf(slot);
    if (!gang.allows(task, node) || !usable.test(node)) {
      return 0;
    }
    int allowed = Math.min(enough, allowedBySpread(task, node));
    int fitting = task.fitting(pool.free(slot), index.freeCpu(node), index.freeMemory(node));
    return Math.min(allowed, fitting);
  }

  private int allowedBySpread(TaskShape task, int node) {
    return gang.topology().maxTasksInDomain() == Integer.MAX_VALUE
        ? Integer.MAX_VALUE
        : gang.topology().maxTasksInDomain()
            - picks.tasksIn(gang.topology().spreadDomain(node), task);
  }

  private @Nullable SharedSlot besideOthers(
      TaskShape task, GpuPool pool, int step, int from, int end, DevicePicker devices) {
    int next = pool.nextPartial(step, from, end, task.cpu(), task.memory());
    while (next >= 0) {
      int node = pool.nodeOf(next);
      int gpu = allowsOneMore(task, node) ? devices.pickShared(pool, node, task) : -1;
      if (gpu >= 0) {
        return new SharedSlot(pool, node, gpu);
      }
      next = pool.nextPartial(step, next + 1, end, task.cpu(), task.memory());
    }
    return null;
  }

  private boolean allowsOneMore(TaskShape task, int node) {
    return gang.allows(task, node)
        && usable.test(node)
        && index.freeCpu(node) >= task.cpu()
        && index.freeMemory(node) >= task.memory()
        && allowedBySpread(task, node) > 0;
  }

  private static int mayHold(TaskShape task, int free) {
    return task.gpus() == 0 ? Integer.MAX_VALUE : free / task.gpus();
  }

  /**
   * Returns a slot of a bucket that holds {@code enough} tasks or, after some looks, the best so
   * far; null if none holds any. Slots that hold none do not count as looks: their number depends
   * on history, and a decision must not.
   */
  private @Nullable Chosen findInBucket(
      TaskShape task, int enough, GpuPool pool, int free, int from, int end, int looks) {
    boolean all = looks == Integer.MAX_VALUE;
    long cpu = all ? enough * task.cpu() : task.cpu();
    long memory = all ? enough * task.memory() : task.memory();
    int best = 0;
    int bestSlot = -1;
    int looked = 0;
    int next = pool.next(free, gang.firstAllowed(pool, from), end, cpu, memory);
    while (next >= 0) {
      int tasks = fitting(task, pool, next, enough);
      if (tasks > best) {
        best = tasks;
        bestSlot = next;
      }
      if (best >= enough || (tasks > 0 && ++looked >= looks)) {
        break;
      }
      next = pool.next(free, gang.firstAllowed(pool, next + 1), end, cpu, memory);
    }
    return best == 0 ? null : new Chosen(pool, bestSlot, best);
  }
}
