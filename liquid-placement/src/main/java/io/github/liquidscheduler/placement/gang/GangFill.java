package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.DomainLevel;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import java.util.List;
import java.util.function.IntPredicate;
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
  private final PlacementCollector verdict;
  private final DevicePicker devices;
  private final Picks picks;
  private final NodeChoice choice;

  GangFill(CapacityIndex index, GangShape gang, PlacementCollector verdict) {
    this.index = index;
    this.gang = gang;
    this.verdict = verdict;
    devices = new DevicePicker(index);
    picks = new Picks(index);
    choice = new NodeChoice(index, gang, picks);
  }

  /** What became of an attempt. */
  enum Outcome {
    /** The gang does not fit. */
    NO_ROOM,
    /** The gang fits, and other places may be looked at. */
    FITS,
    /** The gang fits, and the search is over. */
    FINAL
  }

  /**
   * Fills some of the nodes of a range and shows the picks to the verdict.
   *
   * @param range the nodes
   * @param level the position in {@code ClusterTopology.levels()} of the level of the range
   * @param pools where GPUs come from
   * @param nodes which of the nodes may be used, by position
   */
  Outcome fill(NodeRange range, int level, List<GpuPool> pools, IntPredicate nodes) {
    choice.useOnly(nodes);
    Outcome outcome = Outcome.NO_ROOM;
    if (gang.isInterleaved()) {
      outcome = judge(placeInterleaved(range, pools), range);
    }
    if (outcome == Outcome.FINAL) {
      return outcome;
    }
    Outcome roleByRole = judge(placeRoles(range, level, pools), range);
    return roleByRole.compareTo(outcome) > 0 ? roleByRole : outcome;
  }

  private Outcome judge(boolean placed, NodeRange range) {
    try {
      if (!placed) {
        return Outcome.NO_ROOM;
      }
      return verdict.isFinal(picks, range) ? Outcome.FINAL : Outcome.FITS;
    } finally {
      picks.undoTo(0);
    }
  }

  private boolean placeRoles(NodeRange range, int level, List<GpuPool> pools) {
    for (TaskShape task : gang.tasks()) {
      if (!place(task, range, level, task.gpus() == 0 ? index.pools() : pools)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Places servers and workers in turn, each node taking as many as it holds before the next is
   * opened, so that servers and workers meet (Liquid, section 4.2).
   */
  private boolean placeInterleaved(NodeRange range, List<GpuPool> pools) {
    List<TaskShape> sequence = gang.interleaved();
    int next = 0;
    while (next < sequence.size()) {
      TaskShape task = sequence.get(next);
      int left = sequence.size() - next;
      if (!choice.leastRoomForAll(task, left, range, pools)
          && !choice.mostRoom(task, left, range, pools)) {
        return false;
      }
      GpuPool pool = choice.pool();
      int slot = choice.slot();
      while (next < sequence.size()
          && gang.allows(sequence.get(next), pool)
          && choice.room(sequence.get(next), pool, slot, 1) > 0) {
        task = sequence.get(next++);
        int node = pool.nodeOf(slot);
        picks.take(task, pool, node, 1, devices.pick(pool, node, 1, task.gpus()));
      }
    }
    return true;
  }

  private boolean place(TaskShape task, NodeRange range, int level, List<GpuPool> pools) {
    int slice = gang.sliceOf(task);
    for (int left = task.role().count(); left > 0; left -= slice) {
      int tasks = Math.min(left, slice);
      boolean placed =
          slice == Integer.MAX_VALUE
              ? placeAll(task, tasks, range, level, pools)
              : placeSlice(task, tasks, range, pools);
      if (!placed) {
        return false;
      }
    }
    return true;
  }

  private boolean placeAll(
      TaskShape task, int tasks, NodeRange range, int level, List<GpuPool> pools) {
    int before = picks.size();
    if (placeMany(task, tasks, range, level, pools) == tasks) {
      return true;
    }
    picks.undoTo(before);
    return false;
  }

  /** Places as many of the tasks as the range holds, and returns how many. */
  private int placeMany(
      TaskShape task, int tasks, NodeRange range, int level, List<GpuPool> pools) {
    int left = tasks;
    int placed = 1;
    while (left > 0 && placed > 0) {
      placed =
          task.isShare()
              ? placeShare(task, range, pools)
              : placeSome(task, left, range, level, pools);
      left -= placed;
    }
    return tasks - left;
  }

  private int placeSome(TaskShape task, int left, NodeRange range, int level, List<GpuPool> pools) {
    if (choice.leastRoomForAll(task, left, range, pools)) {
      return takeChosen(task, left);
    }
    @Nullable NodeRange part = part(task, left, range, level + 1, pools);
    int placed = part == null ? 0 : placeMany(task, left, part, level + 1, pools);
    if (placed > 0) {
      return placed;
    }
    return choice.mostRoom(task, left, range, pools) ? takeChosen(task, left) : 0;
  }

  /**
   * Returns the sub-domain of the range, one level down, that has the least room that is enough for
   * all tasks left, by its GPUs; else the one with the most; null if there are none.
   */
  private @Nullable NodeRange part(
      TaskShape task, int left, NodeRange range, int level, List<GpuPool> pools) {
    GpuPool pool = pools.get(0);
    if (pools.size() > 1 || task.gpus() == 0 || level >= pool.levels().size()) {
      return null;
    }
    DomainLevel domains = pool.levels().get(level);
    int end = pool.endSlot(range);
    int best = -1;
    int bestTasks = 0;
    for (int domain = domains.firstFrom(pool.firstSlot(range));
        domain < domains.size() && domains.first(domain) < end;
        domain++) {
      int tasks = domains.tasks(domain, task.gpus(), left);
      boolean tighter = tasks == left && domains.free(domain) < domains.free(Math.max(best, 0));
      if (tasks > bestTasks || (tasks == bestTasks && tighter)) {
        best = domain;
        bestTasks = tasks;
      }
    }
    return best < 0 ? null : domains.nodes(best);
  }

  private int takeChosen(TaskShape task, int left) {
    int count = choice.room(task, choice.pool(), choice.slot(), left);
    int node = choice.node();
    picks.take(
        task, choice.pool(), node, count, devices.pick(choice.pool(), node, count, task.gpus()));
    return count;
  }

  private int placeShare(TaskShape task, NodeRange range, List<GpuPool> pools) {
    int gpu = choice.besideOthers(task, range, pools, devices);
    if (gpu >= 0) {
      picks.take(task, choice.pool(), choice.node(), 1, new int[] {gpu});
      return 1;
    }
    return choice.leastRoomForAll(task, 1, range, pools) ? takeChosen(task, 1) : 0;
  }

  /** Places a slice in the narrowest domain that holds it, up to the level it asks for. */
  private boolean placeSlice(TaskShape task, int tasks, NodeRange range, List<GpuPool> pools) {
    if (!task.isShare() && choice.leastRoomForAll(task, tasks, range, pools)) {
      return takeChosen(task, tasks) == tasks;
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
              nodes ->
                  nodes.overlaps(range)
                      && placeAll(task, tasks, nodes.within(range), level, pools));
    }
    DomainLevel domains = pools.get(0).levels().get(level);
    int gpus = Math.multiplyExact(tasks, task.wholeGpus());
    for (int domain = domains.next(gpus, -1); domain >= 0; domain = domains.next(gpus, domain)) {
      NodeRange nodes = domains.nodes(domain);
      if (nodes.overlaps(range) && placeAll(task, tasks, nodes.within(range), level, pools)) {
        return true;
      }
    }
    return false;
  }
}
