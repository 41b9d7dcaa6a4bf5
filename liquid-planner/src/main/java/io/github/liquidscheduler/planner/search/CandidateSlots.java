package io.github.liquidscheduler.planner.search;

import io.github.liquidscheduler.planner.problem.Gang;
import io.github.liquidscheduler.planner.problem.LinkContention;
import io.github.liquidscheduler.planner.problem.Occupancy;
import io.github.liquidscheduler.planner.problem.SlotTable;
import java.util.Arrays;

/**
 * The slots of a range that have room for tasks of one role of a gang: how many each holds, and
 * what interference and loaded links cost there. Reuses its arrays. Not thread-safe.
 */
final class CandidateSlots {

  private final Occupancy occupancy;
  private final SlotTable slotTable;
  private final PartialAssignment partial;
  private int[] slots = new int[64];
  private int[] room = new int[64];
  private long[] costs = new long[64];
  private int size;
  private LinkContention.Usage usageHint = LinkContention.Usage.NONE;
  private Gang gang;
  private int pool;

  /** Has no slots yet; what {@code partial} takes is not free. */
  CandidateSlots(Occupancy occupancy, PartialAssignment partial) {
    this.occupancy = occupancy;
    this.partial = partial;
    slotTable = occupancy.slotTable;
    gang = occupancy.problem.gangs()[0];
  }

  /** Chooses whose tasks are to have room, and the pool of their GPUs. */
  void choose(Gang gang, int pool) {
    this.gang = gang;
    this.pool = pool;
    usageHint = occupancy.problem.networkCosts()[gang.id].usageHint();
  }

  /** Returns how many slots have room. */
  int size() {
    return size;
  }

  int slot(int i) {
    return slots[i];
  }

  /** Returns how many tasks the slot holds; no more than the role has. */
  int room(int i) {
    return room[i];
  }

  /** Returns the cost of interference and loaded links per task. */
  long cost(int i) {
    return costs[i];
  }

  /** Collects the slots of a range; returns how many tasks they hold, at most those of the role. */
  int collect(int role, int from, int to) {
    size = 0;
    int most = gang.count[role];
    if (gang.isPlain) {
      return collectPlain(from, to, most);
    }
    int sum = 0;
    for (int slot = from; slot < to; slot++) {
      int here = Math.min(most, room(role, slot));
      if (here > 0) {
        add(slot, here);
        sum = Math.min(most, sum + here);
      }
    }
    return sum;
  }

  /** Does the same for a gang that asks for GPUs only, which is most of the work. */
  private int collectPlain(int from, int to, int most) {
    int each = gang.gpus[0];
    int sum = 0;
    for (int slot = from; slot < to; slot++) {
      int free = occupancy.free[slot];
      if (free >= each && slotTable.pool[slot] == pool) {
        int here = Math.min(most, each == 1 ? free : free / each);
        add(slot, here);
        sum += here;
      }
    }
    return Math.min(most, sum);
  }

  private int room(int role, int slot) {
    int each = gang.gpus[role];
    int free = occupancy.free[slot] - partial.usedGpus(slot);
    if (each > 0 && (slotTable.pool[slot] != pool || free < each)) {
      return 0;
    }
    if (!gang.allows(slotTable, slot, role)) {
      return 0;
    }
    long most = each > 0 ? free / each : Integer.MAX_VALUE;
    int node = slotTable.node[slot];
    if (gang.cpu[role] > 0) {
      long cpu = occupancy.freeCpu[node] - partial.usedCpu(slot);
      most = Math.min(most, cpu / gang.cpu[role]);
    }
    if (gang.memory[role] > 0) {
      long memory = occupancy.freeMemory[node] - partial.usedMemory(slot);
      most = Math.min(most, memory / gang.memory[role]);
    }
    return (int) Math.max(0, most);
  }

  private void add(int slot, int tasks) {
    if (size == slots.length) {
      slots = Arrays.copyOf(slots, 2 * size);
      room = Arrays.copyOf(room, 2 * size);
      costs = Arrays.copyOf(costs, 2 * size);
    }
    int node = slotTable.node[slot];
    slots[size] = slot;
    room[size] = tasks;
    costs[size++] =
        occupancy.interference.marginalCost(gang.interferenceClass, node)
            + occupancy.links.hint(usageHint, node);
  }
}
