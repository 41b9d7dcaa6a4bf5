package io.github.liquidscheduler.placement.immediate;

import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.DomainLevel;
import io.github.liquidscheduler.placement.capacity.GpuPool;
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

  private final CapacityIndex index;
  private final GangShape gang;
  private final DevicePicker devices;
  private final Picks picks;
  private final NodeChoice choice;

  GangFill(CapacityIndex index, GangShape gang) {
    this.index = index;
    this.gang = gang;
    devices = new DevicePicker(index);
    picks = new Picks(index);
    choice = new NodeChoice(index, gang, picks);
  }

  /** Returns a placement on nodes of the range and GPUs of the pools, or null. */
  @Nullable Placement fill(NodeRange range, List<GpuPool> pools) {
    try {
      for (TaskShape task : gang.tasks()) {
        if (!place(task, range, task.gpus() == 0 ? index.pools() : pools)) {
          return null;
        }
      }
      return picks.placement(gang);
    } finally {
      picks.undoTo(0);
    }
  }

  private boolean place(TaskShape task, NodeRange range, List<GpuPool> pools) {
    int slice = gang.sliceOf(task);
    for (int left = task.role().count(); left > 0; left -= slice) {
      int tasks = Math.min(left, slice);
      boolean placed =
          slice == Integer.MAX_VALUE
              ? place(task, tasks, range, pools)
              : placeSlice(task, tasks, range, pools);
      if (!placed) {
        return false;
      }
    }
    return true;
  }

  private boolean place(TaskShape task, int tasks, NodeRange range, List<GpuPool> pools) {
    int before = picks.size();
    for (int left = tasks; left > 0; ) {
      int placed =
          task.isShare() ? placeShare(task, range, pools) : placeSome(task, left, range, pools);
      if (placed == 0) {
        picks.undoTo(before);
        return false;
      }
      left -= placed;
    }
    return true;
  }

  private int placeSome(TaskShape task, int left, NodeRange range, List<GpuPool> pools) {
    if (!choice.leastRoomForAll(task, left, range, pools)
        && !choice.mostRoom(task, left, range, pools)) {
      return 0;
    }
    int count = choice.room(task, choice.pool(), choice.slot(), left);
    int node = choice.node();
    picks.take(task, node, count, devices.pick(choice.pool(), node, count, task.gpus()));
    return count;
  }

  private int placeShare(TaskShape task, NodeRange range, List<GpuPool> pools) {
    int gpu = choice.besideOthers(task, range, pools, devices);
    if (gpu >= 0) {
      picks.take(task, choice.node(), 1, new int[] {gpu});
      return 1;
    }
    return placeSome(task, 1, range, pools);
  }

  /** Places a slice in the narrowest domain that holds it, up to the level it asks for. */
  private boolean placeSlice(TaskShape task, int tasks, NodeRange range, List<GpuPool> pools) {
    if (!task.isShare() && choice.leastRoomForAll(task, tasks, range, pools)) {
      return placeSome(task, tasks, range, pools) == tasks;
    }
    int nodeLevel = index.topology().levels().size() - 1;
    for (int level = nodeLevel - 1; level >= gang.sliceLevel(); level--) {
      if (placeSlice(task, tasks, level, range, pools)) {
        return true;
      }
    }
    return false;
  }

  private boolean placeSlice(
      TaskShape task, int tasks, int level, NodeRange range, List<GpuPool> pools) {
    if (pools.size() > 1) {
      return index.nodesOf(level).stream()
          .anyMatch(
              nodes -> nodes.overlaps(range) && place(task, tasks, nodes.within(range), pools));
    }
    DomainLevel domains = pools.get(0).levels().get(level);
    int gpus = Math.multiplyExact(tasks, task.wholeGpus());
    for (int domain = domains.next(gpus, -1); domain >= 0; domain = domains.next(gpus, domain)) {
      NodeRange nodes = domains.nodes(domain);
      if (nodes.overlaps(range) && place(task, tasks, nodes.within(range), pools)) {
        return true;
      }
    }
    return false;
  }
}
