package io.github.liquidscheduler.planner.search;

import io.github.liquidscheduler.planner.problem.Gang;
import io.github.liquidscheduler.planner.problem.GangAssignment;
import io.github.liquidscheduler.planner.problem.Occupancy;
import java.util.SplittableRandom;

/**
 * Gangs removed from the plan, where they were and where they go, and the slots and racks that they
 * were on. The arrays are used for one move after the other. Not thread-safe.
 */
final class RemovedGangs {

  /** The most gangs of one move. */
  static final int MOST = 24;

  /** Each may bring the one at whose size its job was placed. */
  static final int MOST_WITH_OTHERS = 2 * MOST;

  final IntSet slots = new IntSet(64);
  final IntSet racks = new IntSet(16);

  private final Occupancy occupancy;
  private final Gang[] gangs = new Gang[MOST_WITH_OTHERS];
  private final GangAssignment[] before = new GangAssignment[MOST_WITH_OTHERS];
  private final GangAssignment[] after = new GangAssignment[MOST_WITH_OTHERS];
  private int size;

  /** Makes an empty list, which removes from this occupancy. */
  RemovedGangs(Occupancy occupancy) {
    this.occupancy = occupancy;
  }

  int size() {
    return size;
  }

  Gang gang(int at) {
    return gangs[at];
  }

  /** Returns the assignment of a gang; unassigned if it was not put back. */
  GangAssignment to(int at) {
    return after[at];
  }

  void clear() {
    size = 0;
    slots.size = 0;
    racks.size = 0;
  }

  /** Removes a gang from the plan, and its job at whatever size, if not removed before. */
  void remove(Gang gang) {
    removeAtOneSize(gang);
    for (int other : gang.others) {
      if (!occupancy.assignments[other].isUnassigned()) {
        removeAtOneSize(occupancy.problem.gangs()[other]);
      }
    }
  }

  private void removeAtOneSize(Gang gang) {
    for (int i = 0; i < size; i++) {
      if (gangs[i] == gang) {
        return;
      }
    }
    GangAssignment assignment = occupancy.assignments[gang.id];
    gangs[size] = gang;
    before[size] = assignment;
    after[size++] = GangAssignment.UNASSIGNED;
    occupancy.remove(gang);
    for (int slot : assignment.slots) {
      addSlot(slot);
    }
  }

  void addSlot(int slot) {
    if (slots.add(slot)) {
      racks.add(occupancy.slotTable.rack[slot]);
    }
  }

  /** Reorders the gangs: as drawn, or the largest first. */
  void reorder(SplittableRandom random) {
    boolean largestFirst = random.nextBoolean();
    for (int i = size - 1; i > 0; i--) {
      swap(i, random.nextInt(i + 1));
    }
    for (int i = 1; largestFirst && i < size; i++) {
      for (int j = i; j > 0 && gangs[j].totalGpus > gangs[j - 1].totalGpus; j--) {
        swap(j, j - 1);
      }
    }
  }

  private void swap(int one, int other) {
    Gang gang = gangs[one];
    gangs[one] = gangs[other];
    gangs[other] = gang;
    GangAssignment assignment = before[one];
    before[one] = before[other];
    before[other] = assignment;
  }

  /** Puts a gang somewhere. */
  void put(int at, GangAssignment assignment) {
    after[at] = assignment;
    occupancy.put(gangs[at], assignment);
  }

  /** Puts all gangs back where they were. */
  void undo() {
    for (int i = size - 1; i >= 0; i--) {
      occupancy.remove(gangs[i]);
    }
    for (int i = 0; i < size; i++) {
      occupancy.put(gangs[i], before[i]);
    }
  }

  /** A few numbers, each once, in the order in which they came; what is too much is left out. */
  static final class IntSet {
    private final int[] values;
    private int size;

    private IntSet(int most) {
      values = new int[most];
    }

    int size() {
      return size;
    }

    int get(int at) {
      return values[at];
    }

    boolean add(int value) {
      for (int i = 0; i < size; i++) {
        if (values[i] == value) {
          return false;
        }
      }
      if (size < values.length) {
        values[size++] = value;
        return true;
      }
      return false;
    }
  }
}
