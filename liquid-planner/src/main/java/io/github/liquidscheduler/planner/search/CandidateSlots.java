package io.github.liquidscheduler.planner.search;

import io.github.liquidscheduler.placement.gang.PartialAssignment;
import io.github.liquidscheduler.planner.problem.Gang;
import io.github.liquidscheduler.planner.problem.LinkContention;
import io.github.liquidscheduler.planner.problem.Occupancy;
import io.github.liquidscheduler.planner.problem.SlotTable;
import java.util.Arrays;

/**
 * The slots of a range that hold tasks of one role of a gang: how many each holds, what
 * interference and loaded links cost there, and how many tasks it takes; and which of them is the
 * best for more. Reuses its arrays. Not thread-safe.
 */
final class CandidateSlots {

  private final Occupancy occupancy;
  private final SlotTable slotTable;
  private final PartialAssignment partial;
  private int[] slots = new int[64];
  private int[] capacity = new int[64];
  private int[] taken = new int[64];
  private long[] costs = new long[64];
  private int size;
  private LinkContention.Usage usageHint = LinkContention.Usage.NONE;
  private Gang gang;
  private int pool;

  /** Has no slots yet; what {@code partial} holds is not free. */
  CandidateSlots(Occupancy occupancy, PartialAssignment partial) {
    this.occupancy = occupancy;
    this.partial = partial;
    slotTable = occupancy.slotTable;
    gang = occupancy.problem.gangs()[0];
  }

  /** Chooses the gang, and the pool of its GPUs. */
  void choose(Gang gang, int pool) {
    this.gang = gang;
    this.pool = pool;
    usageHint = occupancy.problem.networkCosts()[gang.id].usageHint();
  }

  /** Returns the number of tasks that the slot holds; no more than the role has. */
  int capacity(int i) {
    return capacity[i];
  }

  /** Collects the slots of a range; returns the tasks they hold, at most those of the role. */
  int collect(int role, int from, int to) {
    size = 0;
    int most = gang.count[role];
    if (gang.isPlain) {
      return collectPlain(from, to, most);
    }
    int sum = 0;
    for (int slot = from; slot < to; slot++) {
      int here = Math.min(most, capacity(role, slot));
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

  private int capacity(int role, int slot) {
    boolean isOfPool = gang.gpus[role] == 0 || slotTable.pool[slot] == pool;
    if (!isOfPool || !gang.allows(slotTable, slot, role)) {
      return 0;
    }
    int node = slotTable.node[slot];
    return partial.fitting(
        slot, role, occupancy.free[slot], occupancy.freeCpu[node], occupancy.freeMemory[node]);
  }

  private void add(int slot, int tasks) {
    if (size == slots.length) {
      slots = Arrays.copyOf(slots, 2 * size);
      capacity = Arrays.copyOf(capacity, 2 * size);
      taken = Arrays.copyOf(taken, 2 * size);
      costs = Arrays.copyOf(costs, 2 * size);
    }
    int node = slotTable.node[slot];
    slots[size] = slot;
    capacity[size] = tasks;
    costs[size++] =
        occupancy.interference.marginalCost(gang.interferenceClass, node)
            + occupancy.links.hint(usageHint, node);
  }

  /** Begins with no tasks taken. */
  void forgetTaken() {
    Arrays.fill(taken, 0, size, 0);
  }

  /** Notes that a slot takes more tasks. */
  void take(int i, int tasks) {
    taken[i] += tasks;
  }

  /** Assigns the tasks taken of a role, slot after slot. */
  void assignTaken(int role) {
    for (int i = 0; i < size; i++) {
      if (taken[i] > 0) {
        assign(i, role, taken[i]);
      }
    }
  }

  /** Assigns tasks of a role to a slot. */
  void assign(int i, int role, int tasks) {
    partial.add(slots[i], role, tasks);
  }

  /**
   * Returns the best slot for tasks left of which nothing was taken: one that holds all, and of
   * these the cheapest, else the one that holds most.
   */
  int largest(int left) {
    int best = -1;
    for (int i = 0; i < size; i++) {
      if (taken[i] == 0 && (best < 0 || isBetter(i, best, left))) {
        best = i;
      }
    }
    return best;
  }

  private boolean isBetter(int one, int other, int left) {
    if (gang.roles > 1) {
      int onOne = partial.tasks(slots[one]);
      int onOther = partial.tasks(slots[other]);
      if (onOne != onOther) {
        return onOne > onOther;
      }
    }
    boolean oneHoldsAll = capacity[one] >= left;
    boolean otherHoldsAll = capacity[other] >= left;
    if (oneHoldsAll != otherHoldsAll) {
      return oneHoldsAll;
    }
    if (!oneHoldsAll && capacity[one] != capacity[other]) {
      return capacity[one] > capacity[other];
    }
    return costs[one] < costs[other]
        || (costs[one] == costs[other] && capacity[one] < capacity[other]);
  }

  /** Returns the cheapest slot of which less than {@code most} tasks are taken; -1 if none. */
  int leastLoaded(int most) {
    int best = -1;
    for (int i = 0; i < size; i++) {
      if (taken[i] < Math.min(most, capacity[i]) && (best < 0 || costs[i] < costs[best])) {
        best = i;
      }
    }
    return best;
  }

  /**
   * Returns the slot where one more task costs least, after {@code placed}.
   *
   * @param pairCost what each pair of tasks on two nodes costs
   */
  int cheapest(int placed, long pairCost) {
    int best = -1;
    long bestCost = Long.MAX_VALUE;
    for (int i = 0; i < size; i++) {
      if (taken[i] < capacity[i]) {
        int here = gang.roles == 1 ? taken[i] : partial.tasks(slots[i]);
        long cost = costs[i] + pairCost * (placed - here);
        if (cost < bestCost) {
          best = i;
          bestCost = cost;
        }
      }
    }
    return best;
  }
}
