package io.github.liquidscheduler.planner.problem;

import java.util.Arrays;

/**
 * The assignments of all gangs, what is free beside them, and what they cost, kept up to date gang
 * by gang in primitive arrays. Putting a gang and removing it are exact inverses. Putting does not
 * check that the gang fits; {@link #fits} does. Not thread-safe.
 */
public final class Occupancy {

  /** The problem whose gangs are assigned. */
  public final Problem problem;

  /** The cluster of the problem, with what is free beside fixed jobs only. */
  public final SlotTable slotTable;

  /** The interference of fixed tasks and those of all gangs that do not wait. */
  public final InterferenceScore interference;

  /** The link usage of fixed jobs and of all gangs that do not wait. */
  public final LinkContention links;

  /** The slots of each pool by their current number of free GPUs. */
  public final FreeSlots freeSlots;

  /** The assignment of each gang. */
  public final GangAssignment[] assignments;

  /** The slot of each gang that is on one slot, else -1. */
  public final int[] only;

  /** The free GPUs of each slot; below 0 if it is over-committed. */
  public final int[] free;

  /** The free CPU of each node, in millicores; below 0 if it is over-committed. */
  public final long[] freeCpu;

  /** The free host memory of each node, in bytes; below 0 if it is over-committed. */
  public final long[] freeMemory;

  private final int[][] gangsOn;
  private final int[] gangCount;
  private long soft;
  private long waiting;
  private long over;

  /** Makes an occupancy in which all gangs wait. */
  public Occupancy(Problem problem) {
    this.problem = problem;
    slotTable = problem.slotTable();
    interference = problem.interference().copy();
    links = problem.links().copy();
    free = slotTable.free.clone();
    freeCpu = slotTable.freeCpu.clone();
    freeMemory = slotTable.freeMemory.clone();
    freeSlots = new FreeSlots(slotTable);
    assignments = new GangAssignment[problem.gangs().length];
    Arrays.fill(assignments, GangAssignment.UNASSIGNED);
    only = new int[assignments.length];
    Arrays.fill(only, -1);
    gangsOn = new int[slotTable.slots][4];
    gangCount = new int[slotTable.slots];
    for (Gang gang : problem.gangs()) {
      waiting += gang.isSmaller ? 0 : gang.weight;
    }
    for (int slot = 0; slot < slotTable.slots; slot++) {
      soft += problem.leftOver(slot, free[slot]);
    }
  }

  /** Returns the occupancy of these assignments. */
  public static Occupancy of(Problem problem, GangAssignment[] assignments) {
    Occupancy occupancy = new Occupancy(problem);
    for (Gang gang : problem.gangs()) {
      occupancy.put(gang, assignments[gang.id]);
    }
    return occupancy;
  }

  /** Returns the cost of all that is placed, in units. */
  public long soft() {
    return soft + links.cost();
  }

  /** Returns the cost of all that is placed as if each were alone on its links, in units. */
  public long softAlone() {
    return soft;
  }

  /** Returns true if the job of a gang is placed at another size. */
  public boolean isPlacedOtherwise(Gang gang) {
    for (int other : gang.others) {
      if (!assignments[other].isUnassigned()) {
        return true;
      }
    }
    return false;
  }

  /** Returns the weight of the jobs that wait, and of what smaller sizes lack. */
  public long waiting() {
    return waiting;
  }

  /** Returns by how much slots are over-committed; 0 in every plan. */
  public long over() {
    return over;
  }

  /** Gives a waiting gang an assignment. */
  public void put(Gang gang, GangAssignment assignment) {
    assignments[gang.id] = assignment;
    if (assignment.isUnassigned()) {
      return;
    }
    waiting -= gang.weight;
    soft += assignment.cost;
    for (int i = 0; i < assignment.slots.length; i++) {
      int slot = assignment.slots[i];
      int node = slotTable.node[slot];
      soft += interference.marginalCost(gang.interferenceClass, node) * assignment.tasks[i];
      change(gang, assignment, i, 1);
      enlist(gang.id, slot);
    }
    for (int i = 0; i < assignment.slots.length; i++) {
      interference.add(
          gang.interferenceClass, slotTable.node[assignment.slots[i]], assignment.tasks[i]);
    }
    links.add(assignment.usage);
    only[gang.id] = assignment.isOneSlot() ? assignment.slots[0] : -1;
  }

  /** Makes a gang wait. */
  public void remove(Gang gang) {
    GangAssignment assignment = assignments[gang.id];
    if (assignment.isUnassigned()) {
      return;
    }
    assignments[gang.id] = GangAssignment.UNASSIGNED;
    only[gang.id] = -1;
    waiting += gang.weight;
    links.remove(assignment.usage);
    soft -= assignment.cost;
    for (int i = 0; i < assignment.slots.length; i++) {
      interference.add(
          gang.interferenceClass, slotTable.node[assignment.slots[i]], -assignment.tasks[i]);
    }
    for (int i = assignment.slots.length - 1; i >= 0; i--) {
      int slot = assignment.slots[i];
      soft -=
          interference.marginalCost(gang.interferenceClass, slotTable.node[slot])
              * assignment.tasks[i];
      change(gang, assignment, i, -1);
      dismiss(gang.id, slot);
    }
  }

  /** Returns true if a waiting gang fits there. */
  public boolean fits(Gang gang, GangAssignment assignment) {
    for (int i = 0; i < assignment.slots.length; i++) {
      int slot = assignment.slots[i];
      int node = slotTable.node[slot];
      long cpu = 0;
      long memory = 0;
      for (int role = 0; role < gang.roles; role++) {
        int count = assignment.byRole[i * gang.roles + role];
        cpu += count * gang.cpu[role];
        memory += count * gang.memory[role];
        if (count > 0 && !gang.allows(slotTable, slot, role)) {
          return false;
        }
      }
      if (assignment.gpus(gang, i) > free[slot]
          || cpu > freeCpu[node]
          || memory > freeMemory[node]) {
        return false;
      }
    }
    return true;
  }

  /** Returns true if all tasks of a gang fit on one slot beside all that is there. */
  public boolean fits(Gang gang, int slot) {
    int node = slotTable.node[slot];
    return free[slot] >= gang.totalGpus
        && (!gang.asksOfHost
            || (freeCpu[node] >= gang.totalCpu && freeMemory[node] >= gang.totalMemory));
  }

  /** Returns the number of gangs with tasks on a slot. */
  public int gangsOn(int slot) {
    return gangCount[slot];
  }

  /**
   * Returns the id of one of the gangs on a slot; their order is arbitrary.
   *
   * @param at its position, at least 0 and less than {@link #gangsOn}
   */
  public int gangOn(int slot, int at) {
    return gangsOn[slot][at];
  }

  private void change(Gang gang, GangAssignment assignment, int at, int sign) {
    int slot = assignment.slots[at];
    int before = free[slot];
    int now = before - sign * assignment.gpus(gang, at);
    free[slot] = now;
    soft += problem.leftOver(slot, now) - problem.leftOver(slot, before);
    over += Math.max(0, -now) - Math.max(0, -before);
    freeSlots.change(slot, before, now);
    if (gang.asksOfHost) {
      changeHost(gang, assignment, at, sign);
    }
  }

  private void changeHost(Gang gang, GangAssignment assignment, int at, int sign) {
    int node = slotTable.node[assignment.slots[at]];
    over -= hostOver(node);
    for (int role = 0; role < gang.roles; role++) {
      int count = sign * assignment.byRole[at * gang.roles + role];
      freeCpu[node] -= count * gang.cpu[role];
      freeMemory[node] -= count * gang.memory[role];
    }
    over += hostOver(node);
  }

  private int hostOver(int node) {
    return (freeCpu[node] < 0 ? 1 : 0) + (freeMemory[node] < 0 ? 1 : 0);
  }

  private void enlist(int gang, int slot) {
    int size = gangCount[slot];
    if (size == gangsOn[slot].length) {
      gangsOn[slot] = Arrays.copyOf(gangsOn[slot], 2 * size);
    }
    gangsOn[slot][size] = gang;
    gangCount[slot] = size + 1;
  }

  private void dismiss(int gang, int slot) {
    int[] here = gangsOn[slot];
    int at = 0;
    while (here[at] != gang) {
      at++;
    }
    here[at] = here[--gangCount[slot]];
  }
}
