package io.github.liquidscheduler.planner.search;

import io.github.liquidscheduler.planner.problem.Gang;
import io.github.liquidscheduler.planner.problem.GangAssignment;
import io.github.liquidscheduler.planner.problem.Occupancy;
import io.github.liquidscheduler.planner.problem.Problem;
import java.util.Arrays;

/**
 * The cheapest of the assignments offered for one waiting gang; of equal ones the first. Reuses its
 * arrays; only the assignment returned is new. Not thread-safe.
 */
final class CheapestAssignment {

  private final Occupancy occupancy;
  private final Problem problem;
  private int[] slots = new int[16];
  private int[] byRole = new int[16];
  private int size;
  private long cost;
  private Gang gang;

  CheapestAssignment(Occupancy occupancy, Gang any) {
    this.occupancy = occupancy;
    problem = occupancy.problem;
    gang = any;
  }

  /** Begins with no assignment of a gang. */
  void start(Gang gang) {
    this.gang = gang;
    size = 0;
    cost = Long.MAX_VALUE;
  }

  /** Returns true if an assignment was offered. */
  boolean isFound() {
    return size > 0;
  }

  /** Returns by how much it raises the cost. */
  long cost() {
    return cost;
  }

  /** Returns the assignment; {@link GangAssignment#UNASSIGNED} if none was offered. */
  GangAssignment toAssignment() {
    return size == 0
        ? GangAssignment.UNASSIGNED
        : problem.assignment(
            gang, Arrays.copyOf(slots, size), Arrays.copyOf(byRole, size * gang.roles));
  }

  /** Keeps an assignment if it is cheaper than all before. */
  void offer(int[] offered, int[] offeredByRole, int offeredSize) {
    long offeredCost = problem.costOf(gang, offered, offeredByRole, offeredSize);
    for (int i = 0; i < offeredSize && offeredCost < cost; i++) {
      offeredCost += costOnSlot(offered[i], offeredByRole, i);
    }
    if (offeredCost < cost) {
      offeredCost += occupancy.links.rise(problem.usage(gang, offered, offeredByRole, offeredSize));
    }
    if (offeredCost < cost) {
      keep(offered, offeredByRole, offeredSize);
      cost = offeredCost;
    }
  }

  private void keep(int[] offered, int[] offeredByRole, int offeredSize) {
    size = offeredSize;
    if (size > slots.length) {
      slots = new int[2 * size];
    }
    if (size * gang.roles > byRole.length) {
      byRole = new int[2 * size * gang.roles];
    }
    System.arraycopy(offered, 0, slots, 0, size);
    System.arraycopy(offeredByRole, 0, byRole, 0, size * gang.roles);
  }

  private long costOnSlot(int slot, int[] tasksByRole, int at) {
    int tasks = 0;
    int gpus = 0;
    for (int role = 0; role < gang.roles; role++) {
      int count = tasksByRole[at * gang.roles + role];
      tasks += count;
      gpus += count * gang.gpus[role];
    }
    int free = occupancy.free[slot];
    int node = occupancy.slotTable.node[slot];
    return occupancy.interference.marginalCost(gang.interferenceClass, node) * tasks
        + problem.leftOver(slot, free - gpus)
        - problem.leftOver(slot, free);
  }
}
