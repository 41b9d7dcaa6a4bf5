package io.github.liquidscheduler.placement.immediate;

import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.placement.network.PlacementCost.JobCost;
import io.github.liquidscheduler.placement.network.TaskCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Makes a place cheaper by moving all of a role's tasks on one node to another node of the same
 * domain, as long as that helps. Per node and number of free GPUs a few other nodes are tried, and
 * there is a limit to all tries together.
 */
final class NodeSwaps {

  private static final int NODES_PER_BUCKET = 6;

  /** A node is swapped only if the place could get cheaper by more than the rest of this part. */
  private static final double WORTH_A_TRY = 0.999;

  private final CapacityIndex index;
  private final GangShape gang;
  private final JobCost cost;
  private final NodeRange range;
  private final TaskCounts counts;
  private final List<Picks.Pick> picks;
  private double lowest;
  private int triesLeft;
  private int best;
  private int moving;

  /**
   * Makes the swaps of one place.
   *
   * @param range the nodes that may be used
   * @param effort tries times nodes of the gang: a try costs about as much as the gang has nodes
   */
  NodeSwaps(
      CapacityIndex index,
      GangShape gang,
      JobCost cost,
      Cheapest.Found start,
      NodeRange range,
      int effort) {
    this.index = index;
    this.gang = gang;
    this.cost = cost;
    this.range = range;
    picks = new ArrayList<>(start.picks());
    lowest = start.cost();
    triesLeft = effort / picks.size();
    counts = new TaskCounts(index.topology().nodes().size(), gang.job().roles().size());
    picks.forEach(pick -> counts.add(pick.node(), gang.roleOf(pick.task()), pick.count()));
  }

  /** Returns the place after all swaps that helped. */
  Cheapest.Found improved() {
    boolean helped = true;
    while (helped && triesLeft > 0) {
      helped = false;
      for (int i = 0; i < picks.size() && triesLeft > 0; i++) {
        helped |= improve(i);
      }
    }
    return new Cheapest.Found(lowest, List.copyOf(picks), range);
  }

  /** Returns how much of the effort is left. */
  int effortLeft() {
    return Math.max(0, triesLeft) * picks.size();
  }

  private boolean improve(int position) {
    Picks.Pick pick = picks.get(position);
    moving = position;
    int role = gang.roleOf(pick.task());
    int before = pick.node();
    counts.remove(before, role, pick.count());
    best = before;
    if (costOfTheOthers() < lowest * WORTH_A_TRY) {
      tryNodesOfTheGang(pick);
      tryOtherNodes(pick);
    }
    counts.add(best, role, pick.count());
    picks.set(position, new Picks.Pick(pick.task(), pick.pool(), best, pick.count(), new int[0]));
    return best != before;
  }

  /** Returns a cost that no swap of the tasks just taken away gets below. */
  private double costOfTheOthers() {
    triesLeft--;
    return cost.of(counts);
  }

  private void tryNodesOfTheGang(Picks.Pick pick) {
    for (Picks.Pick other : picks) {
      boolean samePool = pick.task().gpus() == 0 || other.pool().equals(pick.pool());
      if (samePool && other.node() != pick.node() && hasRoom(pick, other.node())) {
        tryNode(pick, other.node());
      }
    }
  }

  private void tryOtherNodes(Picks.Pick pick) {
    GpuPool pool = pick.pool();
    int end = pool.endSlot(range);
    for (int free = pick.count() * pick.task().gpus(); free <= pool.maxFree(); free++) {
      int slot = pool.next(free, pool.firstSlot(range), end, 0, 0);
      for (int tried = 0; slot >= 0 && tried < NODES_PER_BUCKET && triesLeft > 0; ) {
        int node = pool.nodeOf(slot);
        if (gang.allows(node) && hasRoom(pick, node)) {
          tried++;
          tryNode(pick, node);
        }
        slot = pool.next(free, slot + 1, end, 0, 0);
      }
    }
  }

  private void tryNode(Picks.Pick pick, int node) {
    triesLeft--;
    int role = gang.roleOf(pick.task());
    counts.add(node, role, pick.count());
    double price = cost.of(counts);
    counts.remove(node, role, pick.count());
    if (price < lowest) {
      lowest = price;
      best = node;
    }
  }

  /** Returns whether the node has room for the pick beside what else the gang has there. */
  private boolean hasRoom(Picks.Pick pick, int node) {
    int free = 0;
    for (int gpu = 0; gpu < index.gpus(node); gpu++) {
      free += index.isFree(pick.pool(), node, gpu) ? 1 : 0;
    }
    long gpus = free - needed(pick, TaskShape::gpus);
    long cpu = index.freeCpu(node) - needed(pick, TaskShape::cpu);
    long memory = index.freeMemory(node) - needed(pick, TaskShape::memory);
    for (int i = 0; i < picks.size(); i++) {
      Picks.Pick other = picks.get(i);
      if (i != moving && other.node() == node) {
        gpus -= needed(other, TaskShape::gpus);
        cpu -= needed(other, TaskShape::cpu);
        memory -= needed(other, TaskShape::memory);
      }
    }
    return (gpus >= 0 || pick.task().gpus() == 0) && cpu >= 0 && memory >= 0;
  }

  private static long needed(Picks.Pick pick, ToLongFunction<TaskShape> amount) {
    return pick.count() * amount.applyAsLong(pick.task());
  }
}
