package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.DomainLevel;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/*
 * Idea: role by role, hardest first. While one node holds all tasks left, the tightest such node
 * takes them; else the tightest sub-domain is filled, and at the node level the largest node. So a
 * gang spans few nodes and leaves whole nodes whole. Servers and workers alternate where both take
 * whole GPUs.
 * Invariants: picks are taken from the index while filling, since slices, spread and shares depend
 * on them, and undone at the end; the result holds all tasks or none. Exact for one role.
 * Cost: O(GPUs per node) bucket look-ups for each node used, and O(domains of the level) for each
 * level gone down; independent of the number of nodes except in mayHoldHardest, O(nodes of the
 * range).
 * Rejected: one loop for best fit, least cost and plans: each reads nodes in its own order.
 * Source: Liquid, section 4.2, for servers and workers in turn.
 */
/**
 * Fills the nodes of a range with all tasks of a gang, or with none.
 *
 * <p>For one role this finds a placement whenever there is one; for several roles it is a
 * heuristic, and {@link GangPacking} comes after it. The index is unchanged by a call.
 */
public final class GangFill {

  private final CapacityIndex index;
  private final GangShape gang;
  private final DevicePicker devices;
  private final Picks picks;
  private final NodeChoice choice;

  /**
   * Makes a fill from the amounts free at the time of each call.
   *
   * @param nodes the nodes that may be used, by position
   */
  public GangFill(CapacityIndex index, GangShape gang, IntPredicate nodes) {
    this.index = index;
    this.gang = gang;
    devices = new DevicePicker(index);
    picks = new Picks(index);
    choice = new NodeChoice(index, gang, picks, nodes);
  }

  /**
   * Fills some of the nodes of a range: part by part if parts have topologies of their own, else
   * servers and workers in turn where possible, else role by role.
   *
   * @param level the position in {@code ClusterTopology.levels()} of the level of the range
   * @param pools the pools of GPUs to use
   * @return the picks, GPUs included; empty if the gang does not fit
   */
  public List<Picks.Pick> fill(NodeRange range, int level, List<GpuPool> pools) {
    if (gang.hasParts()) {
      return new PartFill(index, gang).fill(range, pools);
    }
    List<Picks.Pick> inTurn = fillInTurn(range, pools);
    return inTurn.isEmpty() ? fillByRole(range, level, pools) : inTurn;
  }

  /**
   * Fills some of the nodes of a range with servers and workers in turn; as {@link #fill}, but also
   * empty if the gang is not placed so.
   */
  public List<Picks.Pick> fillInTurn(NodeRange range, List<GpuPool> pools) {
    return gang.isInterleaved() ? undone(placeInterleaved(range, pools)) : List.of();
  }

  /** Fills some of the nodes of a range role by role; as {@link #fill}. */
  public List<Picks.Pick> fillByRole(NodeRange range, int level, List<GpuPool> pools) {
    NodeChoice.@Nullable Chosen whole = range.size() == 1 ? wholeOn(range, pools) : null;
    return whole == null
        ? undone(placeRoles(range, level, pools))
        : List.of(pick(gang.tasks().getFirst(), whole, whole.tasks()));
  }

  /**
   * Returns the slot of a node that holds a gang of one role, which fits without taking anything;
   * null if it does not, or the gang is another.
   */
  private NodeChoice.@Nullable Chosen wholeOn(NodeRange node, List<GpuPool> pools) {
    TaskShape task = gang.tasks().getFirst();
    return gang.tasks().size() > 1 || task.isShare() || gang.topology().hasSlices()
        ? null
        : choice.tightestForAll(task, task.role().count(), node, poolsFor(task, pools));
  }

  /** Fills nodes with tasks packed into them; as {@link #fill}. */
  List<Picks.Pick> fillPacked(List<GangPacking.Part> parts) {
    boolean isWhole = true;
    for (GangPacking.Part part : parts) {
      NodeRange node = new NodeRange(part.node(), part.node() + 1);
      isWhole =
          isWhole && placeAll(part.task(), part.count(), node, nodeLevel(), List.of(part.pool()));
    }
    return undone(isWhole);
  }

  /** Releases all picks, and returns them if the gang is whole. */
  private List<Picks.Pick> undone(boolean isWhole) {
    List<Picks.Pick> all = isWhole ? picks.all() : List.of();
    picks.undoTo(0);
    return all;
  }

  private boolean placeRoles(NodeRange range, int level, List<GpuPool> pools) {
    for (TaskShape task : gang.tasks()) {
      if (!place(task, range, level, poolsFor(task, pools))) {
        return false;
      }
    }
    return true;
  }

  /** Returns true if a range holds each role without the others. */
  boolean holdsEachRole(NodeRange range, int level, List<GpuPool> pools) {
    for (TaskShape task : gang.tasks()) {
      boolean fits = place(task, range, level, poolsFor(task, pools));
      picks.undoTo(0);
      if (!fits) {
        return false;
      }
    }
    return true;
  }

  /** Returns false if a range cannot hold the tasks of the hardest role alone. */
  boolean mayHoldHardest(NodeRange range, List<GpuPool> pools) {
    TaskShape task = gang.tasks().getFirst();
    return choice.mayHold(task, task.role().count(), range, poolsFor(task, pools));
  }

  private List<GpuPool> poolsFor(TaskShape task, List<GpuPool> pools) {
    return task.gpus() == 0 ? index.pools() : pools;
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
      NodeChoice.@Nullable Chosen chosen = choice.tightestForAll(task, left, range, pools);
      chosen = chosen == null ? choice.largest(task, left, range, pools) : chosen;
      if (chosen == null) {
        return false;
      }
      while (next < sequence.size() && choice.allowsOneMore(sequence.get(next), chosen)) {
        take(sequence.get(next++), chosen, 1);
      }
    }
    return true;
  }

  private boolean place(TaskShape task, NodeRange range, int level, List<GpuPool> pools) {
    int slice = gang.topology().sliceOf(task);
    for (int left = task.role().count(); left > 0; left -= slice) {
      int tasks = Math.min(left, slice);
      if (slice == Integer.MAX_VALUE
          ? !placeAll(task, tasks, range, level, pools)
          : !placeSlice(task, tasks, range, pools)) {
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

  /** Places as many of the tasks as the range holds, and returns their number. */
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
    NodeChoice.@Nullable Chosen all = choice.tightestForAll(task, left, range, pools);
    if (all != null) {
      return take(task, all, left);
    }
    @Nullable NodeRange domain = subDomain(task, left, range, level + 1, pools);
    int placed = domain == null ? 0 : placeMany(task, left, domain, level + 1, pools);
    if (placed > 0) {
      return placed;
    }
    NodeChoice.@Nullable Chosen most = choice.largest(task, left, range, pools);
    return most == null ? 0 : take(task, most, most.tasks());
  }

  /**
   * Returns the smallest sub-domain of the range, one level down, whose GPUs suffice for all tasks
   * left; else the largest; null if there are none.
   */
  private @Nullable NodeRange subDomain(
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
    // The range may be narrower than the domains of its level, for a part of a gang.
    return best < 0 ? null : domains.nodes(best).within(range);
  }

  private int take(TaskShape task, NodeChoice.Chosen chosen, int tasks) {
    picks.take(pick(task, chosen, tasks));
    return tasks;
  }

  private Picks.Pick pick(TaskShape task, NodeChoice.Chosen chosen, int tasks) {
    GpuPool pool = chosen.pool();
    int node = chosen.node();
    int[] gpus = devices.pick(pool, node, tasks, task.gpus());
    return new Picks.Pick(task, pool, node, tasks, gpus);
  }

  private int placeShare(TaskShape task, NodeRange range, List<GpuPool> pools) {
    NodeChoice.@Nullable SharedSlot shared = choice.besideOthers(task, range, pools, devices);
    if (shared != null) {
      picks.take(task, shared.pool(), shared.node(), 1, new int[] {shared.gpu()});
      return 1;
    }
    NodeChoice.@Nullable Chosen whole = choice.tightestForAll(task, 1, range, pools);
    return whole == null ? 0 : take(task, whole, 1);
  }

  /** Places a slice in the narrowest domain that holds it, up to the level it requests. */
  private boolean placeSlice(TaskShape task, int tasks, NodeRange range, List<GpuPool> pools) {
    if (placeOnOneNode(task, tasks, range, pools)) {
      return true;
    }
    for (int level = nodeLevel() - 1; level >= gang.topology().sliceLevel(); level--) {
      if (placeSlice(task, tasks, level, range, pools)) {
        return true;
      }
    }
    return false;
  }

  private boolean placeOnOneNode(TaskShape task, int tasks, NodeRange range, List<GpuPool> pools) {
    if (task.isShare()) {
      return pools.stream().anyMatch(pool -> placeSharesOnOneNode(task, tasks, range, pool));
    }
    NodeChoice.@Nullable Chosen one = choice.tightestForAll(task, tasks, range, pools);
    return one != null && take(task, one, tasks) == tasks;
  }

  /** Tries the nodes with few free GPUs first. */
  private boolean placeSharesOnOneNode(TaskShape task, int tasks, NodeRange range, GpuPool pool) {
    int from = pool.firstSlot(range);
    int end = pool.endSlot(range);
    for (int free = 0; free <= pool.maxFree(); free++) {
      int slot = pool.next(free, from, end, task.cpu(), task.memory());
      while (slot >= 0) {
        NodeRange node = new NodeRange(pool.nodeOf(slot), pool.nodeOf(slot) + 1);
        if (choice.mayHold(task, tasks, node, List.of(pool))
            && placeAll(task, tasks, node, nodeLevel(), List.of(pool))) {
          return true;
        }
        slot = pool.next(free, slot + 1, end, task.cpu(), task.memory());
      }
    }
    return false;
  }

  private int nodeLevel() {
    return index.topology().levels().size() - 1;
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
