package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the next node for tasks of a gang. After a method has returned true, {@link #pool()} and
 * {@link #slot()} say which.
 */
public final class NodeChoice {

  /** How many nodes of one bucket are looked at for one that is limited by GPUs alone. */
  private static final int LOOKS = 32;

  private final CapacityIndex index;
  private final GangShape gang;
  private final Picks picks;
  private IntPredicate usable = node -> true;
  private @Nullable GpuPool pool;
  private int slot;

  public NodeChoice(CapacityIndex index, GangShape gang, Picks picks) {
    this.index = index;
    this.gang = gang;
    this.picks = picks;
  }

  /** Leaves out nodes, by position, from now on. */
  void useOnly(IntPredicate nodes) {
    usable = nodes;
  }

  public GpuPool pool() {
    if (pool == null) {
      throw new IllegalStateException("no node was chosen");
    }
    return pool;
  }

  int slot() {
    return slot;
  }

  public int node() {
    return pool().nodeOf(slot);
  }

  /** Chooses the node with the fewest free GPUs that holds all of {@code tasks}. */
  boolean leastRoomForAll(TaskShape task, int tasks, NodeRange range, List<GpuPool> pools) {
    long gpus = (long) tasks * task.gpus();
    for (GpuPool candidate : pools) {
      if (gpus <= candidate.maxFree() && gang.allows(task, candidate)) {
        int from = candidate.firstSlot(range);
        int end = candidate.endSlot(range);
        for (int free = (int) gpus; free <= candidate.maxFree(); free++) {
          if (findInBucket(task, tasks, candidate, free, from, end, Integer.MAX_VALUE) >= tasks) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /**
   * Chooses a node that holds as many of {@code tasks} as any, or nearly so. Tasks without GPUs go
   * where few GPUs are free.
   */
  boolean mostRoom(TaskShape task, int tasks, NodeRange range, List<GpuPool> pools) {
    int best = 0;
    @Nullable GpuPool bestPool = null;
    int bestSlot = -1;
    for (GpuPool candidate : pools) {
      int from = candidate.firstSlot(range);
      int end = candidate.endSlot(range);
      for (int step = 0; gang.allows(task, candidate) && step <= candidate.maxFree(); step++) {
        int free = task.gpus() == 0 ? step : candidate.maxFree() - step;
        if (mayHold(task, free) <= best) {
          break;
        }
        int enough = Math.min(tasks, mayHold(task, free));
        int held = findInBucket(task, enough, candidate, free, from, end, LOOKS);
        if (held > best) {
          best = held;
          bestPool = candidate;
          bestSlot = slot;
        }
      }
    }
    pool = bestPool;
    slot = bestSlot;
    return best > 0;
  }

  /**
   * Chooses the GPU with the least free share that is enough for a task, among those that others
   * hold a share of, and returns its index on the node; -1 if there is none.
   */
  public int besideOthers(
      TaskShape task, NodeRange range, List<GpuPool> pools, DevicePicker devices) {
    for (GpuPool candidate : pools) {
      int from = candidate.firstSlot(range);
      int end = candidate.endSlot(range);
      for (int step = candidate.shareStep(task.share());
          gang.allows(task, candidate) && step < candidate.shareSteps();
          step++) {
        int gpu = besideOthers(task, candidate, step, from, end, devices);
        if (gpu >= 0) {
          return gpu;
        }
      }
    }
    return -1;
  }

  /** Returns how many tasks, at most {@code enough}, go on the slot's node. */
  public int room(TaskShape task, GpuPool candidate, int candidateSlot, int enough) {
    int node = candidate.nodeOf(candidateSlot);
    if (!gang.allows(node) || !usable.test(node)) {
      return 0;
    }
    int allowed = Math.min(enough, allowedBySpread(task, node));
    return task.fitting(index, candidate, candidateSlot, allowed);
  }

  private int allowedBySpread(TaskShape task, int node) {
    return gang.maxTasksInDomain() == Integer.MAX_VALUE
        ? Integer.MAX_VALUE
        : gang.maxTasksInDomain() - picks.tasksIn(gang.spreadDomain(node), task);
  }

  private int besideOthers(
      TaskShape task, GpuPool candidate, int step, int from, int end, DevicePicker devices) {
    int next = candidate.nextPartial(step, from, end, task.cpu(), task.memory());
    while (next >= 0) {
      int node = candidate.nodeOf(next);
      int gpu = allowsOneMore(task, node) ? devices.pickShared(candidate, node, task) : -1;
      if (gpu >= 0) {
        pool = candidate;
        slot = next;
        return gpu;
      }
      next = candidate.nextPartial(step, next + 1, end, task.cpu(), task.memory());
    }
    return -1;
  }

  private boolean allowsOneMore(TaskShape task, int node) {
    return gang.allows(node)
        && usable.test(node)
        && index.freeCpu(node) >= task.cpu()
        && index.freeMemory(node) >= task.memory()
        && allowedBySpread(task, node) > 0;
  }

  private static int mayHold(TaskShape task, int free) {
    return task.gpus() == 0 ? Integer.MAX_VALUE : free / task.gpus();
  }

  /**
   * Looks through a bucket for a slot that holds {@code enough} tasks, and remembers it or, after
   * some looks, the best so far. Returns how many tasks it holds. Slots that hold none are no
   * looks: how many of them are seen depends on what ran before, and a decision must not.
   */
  private int findInBucket(
      TaskShape task, int enough, GpuPool candidate, int free, int from, int end, int looks) {
    boolean all = looks == Integer.MAX_VALUE;
    long cpu = all ? enough * task.cpu() : task.cpu();
    long memory = all ? enough * task.memory() : task.memory();
    int best = 0;
    int looked = 0;
    int next = candidate.next(free, gang.firstAllowed(candidate, from), end, cpu, memory);
    while (next >= 0) {
      int held = room(task, candidate, next, enough);
      if (held > best) {
        best = held;
        pool = candidate;
        slot = next;
      }
      if (best >= enough || (held > 0 && ++looked >= looks)) {
        return best;
      }
      next = candidate.next(free, gang.firstAllowed(candidate, next + 1), end, cpu, memory);
    }
    return best;
  }
}
