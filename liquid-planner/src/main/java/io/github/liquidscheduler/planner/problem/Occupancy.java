package io.github.liquidscheduler.planner.problem;

import java.util.Arrays;

/**
 * Which gang is where, what is free, and what it all costs, kept up to date gang by gang in
 * primitive arrays. Putting a gang somewhere and taking it away are exact inverses. It does not
 * check that a gang fits; {@link #fits} says so. Not thread-safe.
 */
public final class Occupancy {

  public final Problem problem;
  public final SlotTable slotTable;
  public final InterferenceScore neighbours;
  public final LinkContention links;
  public final FreeSlots freeSlots;

  /** The place of each gang. */
  public final GangAssignment[] places;

  /** The slot of each gang that is on one slot, else -1. */
  public final int[] only;

  public final int[] free;
  public final long[] freeCpu;
  public final long[] freeMemory;
  private final int[][] gangsOn;
  private final int[] gangCount;
  private long soft;
  private long waiting;
  private long over;

  public Occupancy(Problem problem) {
    this.problem = problem;
    slotTable = problem.slotTable();
    neighbours = problem.neighbours().copy();
    links = problem.links().copy();
    free = slotTable.free.clone();
    freeCpu = slotTable.freeCpu.clone();
    freeMemory = slotTable.freeMemory.clone();
    freeSlots = new FreeSlots(slotTable);
    places = new GangAssignment[problem.gangs().length];
    Arrays.fill(places, GangAssignment.UNASSIGNED);
    only = new int[places.length];
    Arrays.fill(only, -1);
    gangsOn = new int[slotTable.slots][4];
    gangCount = new int[slotTable.slots];
    for (Gang gang : problem.gangs()) {
      waiting += gang.weight;
    }
    for (int slot = 0; slot < slotTable.slots; slot++) {
      soft += problem.leftOver(slot, free[slot]);
    }
  }

  /** Returns a plan in which each gang is where it is said to be. */
  public static Occupancy of(Problem problem, GangAssignment[] places) {
    Occupancy occupancy = new Occupancy(problem);
    for (Gang gang : problem.gangs()) {
      occupancy.put(gang, places[gang.id]);
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

  /** Returns what it would be weight to start those that wait. */
  public long waiting() {
    return waiting;
  }

  /** Returns by how much slots are over-committed; 0 in every plan. */
  public long over() {
    return over;
  }

  /** Puts a waiting gang somewhere. */
  public void put(Gang gang, GangAssignment place) {
    places[gang.id] = place;
    if (place.isUnassigned()) {
      return;
    }
    waiting -= gang.weight;
    soft += place.cost;
    for (int i = 0; i < place.slots.length; i++) {
      int slot = place.slots[i];
      int node = slotTable.node[slot];
      soft += neighbours.rate(gang.kind, node) * place.tasks[i];
      change(gang, place, i, 1);
      enlist(gang.id, slot);
    }
    for (int i = 0; i < place.slots.length; i++) {
      neighbours.add(gang.kind, slotTable.node[place.slots[i]], place.tasks[i]);
    }
    links.add(place.uses);
    only[gang.id] = place.isOneSlot() ? place.slots[0] : -1;
  }

  /** Makes a gang wait. */
  public void remove(Gang gang) {
    GangAssignment place = places[gang.id];
    if (place.isUnassigned()) {
      return;
    }
    places[gang.id] = GangAssignment.UNASSIGNED;
    only[gang.id] = -1;
    waiting += gang.weight;
    links.remove(place.uses);
    soft -= place.cost;
    for (int i = 0; i < place.slots.length; i++) {
      neighbours.add(gang.kind, slotTable.node[place.slots[i]], -place.tasks[i]);
    }
    for (int i = place.slots.length - 1; i >= 0; i--) {
      int slot = place.slots[i];
      soft -= neighbours.rate(gang.kind, slotTable.node[slot]) * place.tasks[i];
      change(gang, place, i, -1);
      dismiss(gang.id, slot);
    }
  }

  /** Returns whether a waiting gang fits there. */
  public boolean fits(Gang gang, GangAssignment place) {
    for (int i = 0; i < place.slots.length; i++) {
      int slot = place.slots[i];
      int node = slotTable.node[slot];
      long gpus = 0;
      long cpu = 0;
      long memory = 0;
      for (int role = 0; role < gang.roles; role++) {
        int count = place.byRole[i * gang.roles + role];
        gpus += (long) count * gang.gpus[role];
        cpu += count * gang.cpu[role];
        memory += count * gang.memory[role];
        if (count > 0 && !gang.allows(slotTable, slot, role)) {
          return false;
        }
      }
      if (gpus > free[slot] || cpu > freeCpu[node] || memory > freeMemory[node]) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether all tasks of a gang fit on one slot beside all that is there. */
  public boolean fits(Gang gang, int slot) {
    int node = slotTable.node[slot];
    return free[slot] >= gang.totalGpus
        && (!gang.asksOfHost
            || (freeCpu[node] >= gang.totalCpu && freeMemory[node] >= gang.totalMemory));
  }

  public int gangsOn(int slot) {
    return gangCount[slot];
  }

  public int gangOn(int slot, int at) {
    return gangsOn[slot][at];
  }

  private void change(Gang gang, GangAssignment place, int at, int sign) {
    int slot = place.slots[at];
    int gpus = 0;
    for (int role = 0; role < gang.roles; role++) {
      gpus += place.byRole[at * gang.roles + role] * gang.gpus[role];
    }
    int before = free[slot];
    int now = before - sign * gpus;
    free[slot] = now;
    soft += problem.leftOver(slot, now) - problem.leftOver(slot, before);
    over += Math.max(0, -now) - Math.max(0, -before);
    freeSlots.change(slot, before, now);
    if (gang.asksOfHost) {
      changeHost(gang, place, at, sign);
    }
  }

  private void changeHost(Gang gang, GangAssignment place, int at, int sign) {
    int node = slotTable.node[place.slots[at]];
    over -= hostOver(node);
    for (int role = 0; role < gang.roles; role++) {
      int count = sign * place.byRole[at * gang.roles + role];
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
