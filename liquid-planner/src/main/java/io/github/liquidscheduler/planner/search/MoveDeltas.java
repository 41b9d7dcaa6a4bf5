package io.github.liquidscheduler.planner.search;

import io.github.liquidscheduler.planner.problem.Gang;
import io.github.liquidscheduler.planner.problem.InterferenceScore;
import io.github.liquidscheduler.planner.problem.Occupancy;
import io.github.liquidscheduler.planner.problem.Problem;
import io.github.liquidscheduler.planner.problem.SlotTable;

/**
 * By how much moves of gangs that are each on one slot would change the cost, found by a few sums
 * without touching the plan.
 */
final class MoveDeltas {

  private final Occupancy occupancy;
  private final Problem problem;
  private final SlotTable slotTable;
  private final InterferenceScore interference;
  private final AssignmentFinder finder;

  MoveDeltas(Occupancy occupancy, AssignmentFinder finder) {
    this.occupancy = occupancy;
    this.finder = finder;
    problem = occupancy.problem;
    slotTable = occupancy.slotTable;
    interference = occupancy.interference;
  }

  /** Returns the cost of a gang beside those on a slot, and of the GPUs that it leaves over. */
  long arrival(Gang gang, int slot) {
    return gang.tasks * interference.marginalCost(gang.interferenceClass, slotTable.node[slot])
        + leftOverRise(slot, -gang.totalGpus);
  }

  /**
   * Returns by how much the cost rises if a gang moves to a slot where it costs {@code arrival}.
   */
  long relocation(Gang gang, int from, int to, long arrival) {
    int node = slotTable.node[from];
    long delta =
        arrival
            - interference.besideOthers(gang.interferenceClass, node, gang.tasks)
            + leftOverRise(from, gang.totalGpus);
    return problem.mayDifferInCost(gang) ? delta + rise(gang, to) : delta;
  }

  /** Returns true if two gangs may be exchanged and whether that may change anything. */
  boolean mayExchange(Gang one, int oneSlot, Gang other, int otherSlot) {
    int more = one.totalGpus - other.totalGpus;
    return oneSlot != otherSlot
        && !areAlike(one, other)
        && occupancy.free[oneSlot] + more >= 0
        && occupancy.free[otherSlot] - more >= 0
        && one.allowsAll(slotTable, otherSlot)
        && other.allowsAll(slotTable, oneSlot)
        && hostMayExchange(one, oneSlot, other, otherSlot);
  }

  /** Returns true if an exchange of the two would change nothing that counts. */
  private boolean areAlike(Gang one, Gang other) {
    return one.interferenceClass == other.interferenceClass
        && one.tasks == other.tasks
        && one.totalGpus == other.totalGpus
        && !one.asksOfHost
        && !other.asksOfHost
        && !problem.mayDifferInCost(one)
        && !problem.mayDifferInCost(other);
  }

  private boolean hostMayExchange(Gang one, int oneSlot, Gang other, int otherSlot) {
    if (!one.asksOfHost && !other.asksOfHost) {
      return true;
    }
    int oneNode = slotTable.node[oneSlot];
    int otherNode = slotTable.node[otherSlot];
    long cpu = one.totalCpu - other.totalCpu;
    long memory = one.totalMemory - other.totalMemory;
    return occupancy.freeCpu[oneNode] + cpu >= 0
        && occupancy.freeCpu[otherNode] - cpu >= 0
        && occupancy.freeMemory[oneNode] + memory >= 0
        && occupancy.freeMemory[otherNode] - memory >= 0;
  }

  /** Returns by how much the cost rises if two gangs that may be are exchanged. */
  long exchange(Gang one, int oneSlot, Gang other, int otherSlot) {
    int oneNode = slotTable.node[oneSlot];
    int otherNode = slotTable.node[otherSlot];
    if (oneNode == otherNode) {
      return 0;
    }
    long delta = shift(one, oneNode, other, otherNode) + shift(other, otherNode, one, oneNode);
    int more = one.totalGpus - other.totalGpus;
    if (more != 0) {
      delta += leftOverRise(oneSlot, more) + leftOverRise(otherSlot, -more);
    }
    return problem.mayDifferInCost(one) || problem.mayDifferInCost(other)
        ? delta + rise(one, otherSlot) + rise(other, oneSlot)
        : delta;
  }

  /** Returns by how much the interference of a gang rises if it takes the place of another. */
  private long shift(Gang gang, int from, Gang displaced, int to) {
    int own = gang.interferenceClass;
    long pair = interference.pairCost(own, displaced.interferenceClass);
    return gang.tasks * (interference.marginalCost(own, to) - displaced.tasks * pair)
        - interference.besideOthers(own, from, gang.tasks);
  }

  /** Returns by how much a gang costs more on a slot, apart from other jobs. */
  private long rise(Gang gang, int slot) {
    return finder.onOneSlot(gang, slot).cost - occupancy.assignments[gang.id].cost;
  }

  private long leftOverRise(int slot, int more) {
    int free = occupancy.free[slot];
    return problem.leftOver(slot, free + more) - problem.leftOver(slot, free);
  }
}
