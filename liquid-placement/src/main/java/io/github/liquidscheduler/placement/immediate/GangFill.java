package io.github.liquidscheduler.placement.immediate;

import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fills the nodes of a range with all tasks of a gang, or with none.
 *
 * <p>Role by role, hardest first: while a single node can hold all tasks left, they go to the one
 * with the least room that does; else the roomiest node takes what it can. So a gang spans few
 * nodes and leaves whole nodes whole. For one role this finds a place whenever there is one, since
 * what a node can hold does not depend on the others; for several roles it is a heuristic. What is
 * taken while filling is given back at the end, so the index is unchanged by a call.
 */
final class GangFill {

  /** How many nodes of one bucket are looked at for one that is limited by GPUs alone. */
  private static final int LOOKS = 32;

  private final CapacityIndex index;
  private final GangShape gang;
  private final DevicePicker devices;
  private final List<Pick> picks = new ArrayList<>();
  private @Nullable GpuPool pool;
  private int slot;

  GangFill(CapacityIndex index, GangShape gang) {
    this.index = index;
    this.gang = gang;
    devices = new DevicePicker(index);
  }

  /** Returns a placement on nodes of the range and GPUs of the pools, or null. */
  @Nullable Placement fill(NodeRange range, List<GpuPool> pools) {
    try {
      for (TaskShape task : gang.tasks()) {
        if (!place(task, range, task.gpus() == 0 ? index.pools() : pools)) {
          return null;
        }
      }
      return placement();
    } finally {
      undo();
    }
  }

  private boolean place(TaskShape task, NodeRange range, List<GpuPool> pools) {
    int left = task.role().count();
    while (left > 0) {
      int placed =
          task.isShare() ? placeShare(task, range, pools) : placeSome(task, left, range, pools);
      if (placed == 0) {
        return false;
      }
      left -= placed;
    }
    return true;
  }

  private int placeSome(TaskShape task, int left, NodeRange range, List<GpuPool> pools) {
    if (!findOneForAll(task, left, range, pools) && !findRoomiest(task, left, range, pools)) {
      return 0;
    }
    GpuPool found = found();
    int count = task.fitting(index, found, slot, left);
    int node = found.nodeOf(slot);
    take(task, node, count, devices.pick(found, node, count, task.gpus()));
    return count;
  }

  /** Finds the slot with the fewest free GPUs that holds all tasks left. */
  private boolean findOneForAll(TaskShape task, int left, NodeRange range, List<GpuPool> pools) {
    long gpus = (long) left * task.gpus();
    for (GpuPool candidate : pools) {
      if (gpus <= candidate.maxFree() && gang.allows(task, candidate)) {
        int from = candidate.firstSlot(range);
        int end = candidate.endSlot(range);
        for (int free = (int) gpus; free <= candidate.maxFree(); free++) {
          if (findInBucket(task, left, candidate, free, from, end, Integer.MAX_VALUE) >= left) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /**
   * Finds a slot that holds as many of the tasks left as any, or nearly so. Tasks without GPUs go
   * where few GPUs are free.
   */
  private boolean findRoomiest(TaskShape task, int left, NodeRange range, List<GpuPool> pools) {
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
        int enough = Math.min(left, mayHold(task, free));
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

  private static int mayHold(TaskShape task, int free) {
    return task.gpus() == 0 ? Integer.MAX_VALUE : free / task.gpus();
  }

  /**
   * Looks through a bucket for a slot that holds {@code enough} tasks, and remembers it or, after
   * some looks, the best so far. Returns how many tasks it holds.
   */
  private int findInBucket(
      TaskShape task, int enough, GpuPool candidate, int free, int from, int end, int looks) {
    boolean all = looks == Integer.MAX_VALUE;
    long cpu = all ? enough * task.cpu() : task.cpu();
    long memory = all ? enough * task.memory() : task.memory();
    int best = 0;
    int looked = 0;
    int next = candidate.next(free, from, end, cpu, memory);
    while (next >= 0) {
      int held =
          gang.allows(candidate.nodeOf(next)) ? task.fitting(index, candidate, next, enough) : 0;
      if (held > best) {
        best = held;
        pool = candidate;
        slot = next;
      }
      if (best >= enough || (best > 0 && ++looked >= looks)) {
        return best;
      }
      next = candidate.next(free, next + 1, end, cpu, memory);
    }
    return best;
  }

  private int placeShare(TaskShape task, NodeRange range, List<GpuPool> pools) {
    for (GpuPool candidate : pools) {
      int from = candidate.firstSlot(range);
      int end = candidate.endSlot(range);
      for (int step = candidate.shareStep(task.share());
          gang.allows(task, candidate) && step < candidate.shareSteps();
          step++) {
        if (placeBesideOthers(task, candidate, step, from, end)) {
          return 1;
        }
      }
    }
    if (!findOneForAll(task, 1, range, pools)) {
      return 0;
    }
    int node = found().nodeOf(slot);
    take(task, node, 1, devices.pick(found(), node, 1, 1));
    return 1;
  }

  private boolean placeBesideOthers(
      TaskShape task, GpuPool candidate, int step, int from, int end) {
    int next = candidate.nextPartial(step, from, end, task.cpu(), task.memory());
    while (next >= 0) {
      int node = candidate.nodeOf(next);
      int gpu =
          gang.allows(node)
                  && index.freeCpu(node) >= task.cpu()
                  && index.freeMemory(node) >= task.memory()
              ? devices.pickShared(candidate, node, task)
              : -1;
      if (gpu >= 0) {
        take(task, node, 1, new int[] {gpu});
        return true;
      }
      next = candidate.nextPartial(step, next + 1, end, task.cpu(), task.memory());
    }
    return false;
  }

  private GpuPool found() {
    if (pool == null) {
      throw new IllegalStateException("no pool was found");
    }
    return pool;
  }

  private void take(TaskShape task, int node, int count, int[] gpus) {
    Pick pick = new Pick(task, node, count, gpus);
    index.take(
        node, gpus, task.share(), task.gpuMemory(), count * task.cpu(), count * task.memory());
    picks.add(pick);
  }

  private void undo() {
    for (Pick pick : picks) {
      TaskShape task = pick.task();
      index.giveBack(
          pick.node(),
          pick.gpus(),
          task.share(),
          task.gpuMemory(),
          pick.count() * task.cpu(),
          pick.count() * task.memory());
    }
    picks.clear();
  }

  private Placement placement() {
    List<TaskPlacement> tasks = new ArrayList<>(gang.job().tasks());
    for (TaskRole role : gang.job().roles()) {
      int next = 0;
      for (Pick pick : picks) {
        if (pick.task().role().equals(role)) {
          next = addTasks(pick, next, tasks);
        }
      }
    }
    return new Placement(gang.job().id(), tasks);
  }

  private int addTasks(Pick pick, int first, List<TaskPlacement> tasks) {
    TaskRole role = pick.task().role();
    int gpusPerTask = pick.task().gpus();
    for (int i = 0; i < pick.count(); i++) {
      List<Integer> gpus = new ArrayList<>(gpusPerTask);
      for (int g = 0; g < gpusPerTask; g++) {
        gpus.add(pick.gpus()[i * gpusPerTask + g]);
      }
      tasks.add(
          new TaskPlacement(
              new TaskId(role.name(), first + i),
              index.topology().nodes().get(pick.node()).id(),
              gpus,
              role.demand()));
    }
    return first + pick.count();
  }

  /** Some tasks of a role on one node; the GPUs of each task stand side by side. */
  @SuppressWarnings("ArrayRecordComponent") // never compared, never shared
  private record Pick(TaskShape task, int node, int count, int[] gpus) {}
}
