package io.github.liquidscheduler.planner.search;

import io.github.liquidscheduler.planner.problem.Gang;
import io.github.liquidscheduler.planner.problem.Occupancy;
import io.github.liquidscheduler.planner.problem.SlotTable;
import java.util.Arrays;

/**
 * Where the tasks of a gang go in one attempt to fill slots, and what its roles have taken there so
 * far. Nothing is taken from the {@link Occupancy}. Reuses its arrays. Not thread-safe.
 */
final class PartialAssignment {

  private static final int NOWHERE = -1;

  private final SlotTable slotTable;
  private final int[] usedGpus;
  private final long[] usedCpu;
  private final long[] usedMemory;
  private final int[] position;
  private int[] slots = new int[64];
  private int[] byRole = new int[64];
  private int size;
  private Gang gang;

  PartialAssignment(SlotTable slotTable, Gang any) {
    this.slotTable = slotTable;
    usedGpus = new int[slotTable.slots];
    usedCpu = new long[slotTable.freeCpu.length];
    usedMemory = new long[slotTable.freeCpu.length];
    position = new int[slotTable.slots];
    Arrays.fill(position, NOWHERE);
    gang = any;
  }

  /** Returns the slots taken, valid up to {@link #size}, until the next attempt. */
  int[] slots() {
    return slots;
  }

  /** Returns the tasks of each role on each slot: slot by slot, role by role. */
  int[] byRole() {
    return byRole;
  }

  /** Returns how many slots are taken. */
  int size() {
    return size;
  }

  /** Begins an attempt with nothing taken. */
  void begin(Gang gang) {
    forget();
    this.gang = gang;
    size = 0;
  }

  /** Puts tasks of a role on a slot; of a gang with one role, once per slot. */
  void take(int role, int slot, int tasks) {
    int at = gang.roles == 1 ? append(slot) : positionOf(slot);
    byRole[at * gang.roles + role] += tasks;
    if (gang.roles > 1) {
      usedGpus[slot] += tasks * gang.gpus[role];
      usedCpu[slotTable.node[slot]] += tasks * gang.cpu[role];
      usedMemory[slotTable.node[slot]] += tasks * gang.memory[role];
    }
  }

  /** Returns how many tasks of all roles are on a slot; of a gang with several roles only. */
  int tasksOn(int slot) {
    int at = position[slot];
    int sum = 0;
    for (int role = 0; at >= 0 && role < gang.roles; role++) {
      sum += byRole[at * gang.roles + role];
    }
    return sum;
  }

  int usedGpus(int slot) {
    return usedGpus[slot];
  }

  long usedCpu(int slot) {
    return usedCpu[slotTable.node[slot]];
  }

  long usedMemory(int slot) {
    return usedMemory[slotTable.node[slot]];
  }

  private int positionOf(int slot) {
    if (position[slot] < 0) {
      position[slot] = append(slot);
    }
    return position[slot];
  }

  private int append(int slot) {
    if (size == slots.length) {
      slots = Arrays.copyOf(slots, 2 * size);
    }
    int end = (size + 1) * gang.roles;
    if (end > byRole.length) {
      byRole = Arrays.copyOf(byRole, 2 * end);
    }
    slots[size] = slot;
    Arrays.fill(byRole, size * gang.roles, end, 0);
    return size++;
  }

  private void forget() {
    for (int i = 0; i < size && gang.roles > 1; i++) {
      int slot = slots[i];
      position[slot] = NOWHERE;
      usedGpus[slot] = 0;
      usedCpu[slotTable.node[slot]] = 0;
      usedMemory[slotTable.node[slot]] = 0;
    }
  }
}
