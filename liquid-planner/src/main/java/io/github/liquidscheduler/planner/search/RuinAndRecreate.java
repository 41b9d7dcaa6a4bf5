package io.github.liquidscheduler.planner.search;

import io.github.liquidscheduler.planner.problem.Gang;
import io.github.liquidscheduler.planner.problem.GangAssignment;
import io.github.liquidscheduler.planner.problem.Occupancy;
import io.github.liquidscheduler.planner.problem.SlotTable;
import java.util.SplittableRandom;

/**
 * Tries out moves of several gangs on the plan itself: removes them, reinserts them one by one
 * where each costs least, notes the change of cost, and puts everything back. Not thread-safe.
 */
final class RuinAndRecreate {

  /** The most gangs of one move. */
  static final int MOST = 24;

  private static final int RANDOM_CANDIDATES = 2;

  private final Occupancy occupancy;
  private final SlotTable slotTable;
  private final Gang[] gangs;
  private final AssignmentFinder finder;
  private final SplittableRandom random;
  private final int[] removed = new int[MOST];
  private final GangAssignment[] before = new GangAssignment[MOST];
  private final GangAssignment[] after = new GangAssignment[MOST];
  private int size;
  private int[] slots = new int[64];
  private int slotCount;
  private final int[] racks = new int[16];
  private int rackCount;
  private int skipOneIn;
  private long waitingDelta;
  private long softDelta;

  RuinAndRecreate(Occupancy occupancy, AssignmentFinder finder, SplittableRandom random) {
    this.occupancy = occupancy;
    this.finder = finder;
    this.random = random;
    slotTable = occupancy.slotTable;
    gangs = occupancy.problem.gangs();
  }

  int size() {
    return size;
  }

  int gang(int at) {
    return removed[at];
  }

  GangAssignment to(int at) {
    return after[at];
  }

  long waitingDelta() {
    return waitingDelta;
  }

  long softDelta() {
    return softDelta;
  }

  /** Moves one gang to the cheapest assignment in its racks and others drawn. */
  boolean relocate(Gang gang) {
    begin();
    remove(gang);
    addRandomRacks(gang, 2);
    return rebuild();
  }

  /** Exchanges two gangs. */
  boolean exchange(Gang one, Gang other) {
    begin();
    remove(one);
    remove(other);
    return rebuild();
  }

  /** Moves a gang onto a slot, and those that it displaces elsewhere. */
  boolean chain(Gang gang, int slot) {
    if (occupancy.only[gang.id] == slot || gang.totalGpus > slotTable.capacity[slot]) {
      return false;
    }
    begin();
    remove(gang);
    addSlot(slot);
    while (!occupancy.fits(gang, slot) && occupancy.gangsOn(slot) > 0 && size < MOST) {
      remove(gangs[occupancy.gangOn(slot, random.nextInt(occupancy.gangsOn(slot)))]);
    }
    finder.start(gang);
    finder.trySlot(slot);
    if (!finder.found()) {
      undo(0);
      return false;
    }
    after[0] = finder.best();
    occupancy.put(gang, after[0]);
    return rebuildFrom(1);
  }

  /**
   * Removes gangs around two, up to a number, and reinserts them in an order drawn.
   *
   * @param skipOneIn one candidate in so many is skipped, as by the blinks of SISR (Christiaens and
   *     Vanden Berghe, Transportation Science 54(2), 2020)
   */
  boolean ruin(Gang seed, Gang other, int most, int skipOneIn) {
    begin();
    this.skipOneIn = skipOneIn;
    removeAround(seed, most / 2 + 1);
    Gang second = random.nextBoolean() ? other : inSameRack(other);
    removeAround(second, most);
    reorder();
    return rebuild();
  }

  /** Returns a gang on a random slot of the rack of the first slot removed, else the one given. */
  private Gang inSameRack(Gang other) {
    if (slotCount == 0) {
      return other;
    }
    int rack = slotTable.rack[slots[0]];
    int first = slotTable.firstSlot[rack];
    int slot = first + random.nextInt(slotTable.firstSlot[rack + 1] - first);
    int here = occupancy.gangsOn(slot);
    return here == 0 ? other : gangs[occupancy.gangOn(slot, random.nextInt(here))];
  }

  private void removeAround(Gang gang, int most) {
    if (size >= most || size >= MOST) {
      return;
    }
    GangAssignment assignment = occupancy.assignments[gang.id];
    remove(gang);
    for (int i = 0; i < assignment.slots.length && size < most; i++) {
      int slot = assignment.slots[i];
      while (size < most && size < MOST && occupancy.gangsOn(slot) > 0) {
        remove(gangs[occupancy.gangOn(slot, random.nextInt(occupancy.gangsOn(slot)))]);
      }
    }
  }

  private void begin() {
    size = 0;
    slotCount = 0;
    rackCount = 0;
    skipOneIn = 0;
    waitingDelta = -occupancy.waiting();
    softDelta = -occupancy.soft();
  }

  private void remove(Gang gang) {
    for (int i = 0; i < size; i++) {
      if (removed[i] == gang.id) {
        return;
      }
    }
    GangAssignment assignment = occupancy.assignments[gang.id];
    removed[size] = gang.id;
    before[size] = assignment;
    after[size++] = GangAssignment.UNASSIGNED;
    occupancy.remove(gang);
    for (int slot : assignment.slots) {
      addSlot(slot);
    }
  }

  private void addSlot(int slot) {
    for (int i = 0; i < slotCount; i++) {
      if (slots[i] == slot) {
        return;
      }
    }
    if (slotCount < slots.length) {
      slots[slotCount++] = slot;
      addRack(slotTable.rack[slot]);
    }
  }

  private void addRack(int rack) {
    for (int i = 0; i < rackCount; i++) {
      if (racks[i] == rack) {
        return;
      }
    }
    if (rackCount < racks.length) {
      racks[rackCount++] = rack;
    }
  }

  private void addRandomRacks(Gang gang, int count) {
    for (int i = 0; i < count; i++) {
      int rack = random.nextInt(slotTable.racks);
      if (occupancy.freeSlots.ofRack(rack) >= gang.totalGpus) {
        addRack(rack);
      }
    }
  }

  /** Reorders the removed: as drawn, or the largest first. */
  private void reorder() {
    boolean largestFirst = random.nextBoolean();
    for (int i = size - 1; i > 0; i--) {
      swap(i, random.nextInt(i + 1));
    }
    for (int i = 1; largestFirst && i < size; i++) {
      for (int j = i; j > 0 && isLarger(removed[j], removed[j - 1]); j--) {
        swap(j, j - 1);
      }
    }
  }

  private boolean isLarger(int one, int other) {
    return gangs[one].totalGpus > gangs[other].totalGpus;
  }

  private void swap(int one, int other) {
    int gang = removed[one];
    removed[one] = removed[other];
    removed[other] = gang;
    GangAssignment assignment = before[one];
    before[one] = before[other];
    before[other] = assignment;
  }

  private boolean rebuild() {
    return rebuildFrom(0);
  }

  /** Reinserts the removed; gangs may be left waiting only if others waited before. */
  private boolean rebuildFrom(int first) {
    boolean othersWaited = waitingDelta < 0;
    int built = first;
    boolean found = true;
    while (found && built < size) {
      Gang gang = gangs[removed[built]];
      GangAssignment assignment = assignmentFor(gang);
      found = !assignment.isUnassigned() || othersWaited;
      if (found) {
        after[built] = assignment;
        occupancy.put(gang, assignment);
        built++;
      }
    }
    waitingDelta += occupancy.waiting();
    softDelta += occupancy.soft();
    undo(built);
    return found;
  }

  private void undo(int built) {
    for (int i = size - 1; i >= 0; i--) {
      if (i < built || !occupancy.assignments[removed[i]].isUnassigned()) {
        occupancy.remove(gangs[removed[i]]);
      }
    }
    for (int i = 0; i < size; i++) {
      occupancy.put(gangs[removed[i]], before[i]);
    }
  }

  private GangAssignment assignmentFor(Gang gang) {
    finder.start(gang);
    boolean whole = gang.totalGpus <= slotTable.largestSlot;
    for (int i = 0; whole && i < slotCount; i++) {
      if (skipOneIn == 0 || random.nextInt(skipOneIn) > 0) {
        finder.trySlot(slots[i]);
      }
    }
    if (whole) {
      tryRandomCandidates(gang);
    }
    for (int i = 0; gang.tasks > 1 && i < rackCount; i++) {
      finder.tryRack(racks[i]);
    }
    if (gang.home.slots.length > 0 && occupancy.fits(gang, gang.home)) {
      finder.tryHome();
    }
    if (!finder.found() && gang.tasks > 1) {
      finder.tryWiderDomains();
    }
    return finder.best();
  }

  private void tryRandomCandidates(Gang gang) {
    int pool = random.nextInt(gang.rankOfPool.length);
    if (gang.rankOfPool[pool] == Gang.FORBIDDEN) {
      return;
    }
    int count = occupancy.freeSlots.count(pool, gang.totalGpus);
    for (int i = 0; i < RANDOM_CANDIDATES && count > 0; i++) {
      finder.trySlot(occupancy.freeSlots.slot(pool, gang.totalGpus, random.nextInt(count)));
    }
  }
}
