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

  private static final int RANDOM_CANDIDATES = 2;

  private final Occupancy occupancy;
  private final SlotTable slotTable;
  private final Gang[] gangs;
  private final AssignmentFinder finder;
  private final SplittableRandom random;
  private final RemovedGangs removed;
  private int skipOneIn;
  private long waitingDelta;
  private long softDelta;

  RuinAndRecreate(Occupancy occupancy, AssignmentFinder finder, SplittableRandom random) {
    this.occupancy = occupancy;
    this.finder = finder;
    this.random = random;
    slotTable = occupancy.slotTable;
    gangs = occupancy.problem.gangs();
    removed = new RemovedGangs(occupancy);
  }

  /** Returns the gangs of the last move, and where they go. */
  RemovedGangs moved() {
    return removed;
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
    removed.remove(gang);
    for (int i = 0; i < 2; i++) {
      int rack = random.nextInt(slotTable.racks);
      if (occupancy.freeSlots.ofRack(rack) >= gang.totalGpus) {
        removed.racks.add(rack);
      }
    }
    return rebuildFrom(0);
  }

  /** Exchanges two gangs. */
  boolean exchange(Gang one, Gang other) {
    begin();
    removed.remove(one);
    removed.remove(other);
    return rebuildFrom(0);
  }

  /** Moves a gang onto a slot, and those that it displaces elsewhere. */
  boolean chain(Gang gang, int slot) {
    if (occupancy.only[gang.id] == slot || gang.totalGpus > slotTable.capacity[slot]) {
      return false;
    }
    begin();
    removed.remove(gang);
    removed.addSlot(slot);
    while (!occupancy.fits(gang, slot)
        && occupancy.gangsOn(slot) > 0
        && removed.size() < RemovedGangs.MOST) {
      removed.remove(randomOn(slot));
    }
    finder.start(gang);
    finder.trySlot(slot);
    if (!finder.found()) {
      removed.undo();
      return false;
    }
    removed.put(0, finder.best());
    return rebuildFrom(1);
  }

  /**
   * Removes gangs around two, up to a number, and reinserts them in an order drawn.
   *
   * @param skipOneIn one in this many candidates is skipped, as by the blinks of SISR (Christiaens
   *     and Vanden Berghe, Transportation Science 54(2), 2020)
   */
  boolean ruin(Gang seed, Gang other, int most, int skipOneIn) {
    begin();
    this.skipOneIn = skipOneIn;
    removeAround(seed, most / 2 + 1);
    Gang second = random.nextBoolean() ? other : inSameRack(other);
    removeAround(second, most);
    removed.reorder(random);
    return rebuildFrom(0);
  }

  /** Returns a gang on a random slot of the rack of the first slot removed, else the one given. */
  private Gang inSameRack(Gang other) {
    if (removed.slots.size() == 0) {
      return other;
    }
    int rack = slotTable.rack[removed.slots.get(0)];
    int first = slotTable.firstSlot[rack];
    int slot = first + random.nextInt(slotTable.firstSlot[rack + 1] - first);
    return occupancy.gangsOn(slot) == 0 ? other : randomOn(slot);
  }

  private Gang randomOn(int slot) {
    return gangs[occupancy.gangOn(slot, random.nextInt(occupancy.gangsOn(slot)))];
  }

  private void removeAround(Gang gang, int number) {
    int most = Math.min(number, RemovedGangs.MOST);
    if (removed.size() >= most) {
      return;
    }
    int[] slots = occupancy.assignments[gang.id].slots;
    removed.remove(gang);
    for (int i = 0; i < slots.length && removed.size() < most; i++) {
      while (removed.size() < most && occupancy.gangsOn(slots[i]) > 0) {
        removed.remove(randomOn(slots[i]));
      }
    }
  }

  private void begin() {
    removed.clear();
    skipOneIn = 0;
    waitingDelta = -occupancy.waiting();
    softDelta = -occupancy.soft();
  }

  /** Reinserts the removed; gangs may be left waiting only if others waited before. */
  private boolean rebuildFrom(int first) {
    boolean othersWaited = waitingDelta < 0;
    boolean found = true;
    for (int i = first; found && i < removed.size(); i++) {
      GangAssignment assignment = assignmentFor(removed.gang(i));
      found = !assignment.isUnassigned() || othersWaited;
      if (found) {
        removed.put(i, assignment);
      }
    }
    waitingDelta += occupancy.waiting();
    softDelta += occupancy.soft();
    removed.undo();
    return found;
  }

  private GangAssignment assignmentFor(Gang gang) {
    if (occupancy.isPlacedOtherwise(gang)) {
      return GangAssignment.UNASSIGNED;
    }
    finder.start(gang);
    if (gang.totalGpus <= slotTable.largestSlot) {
      for (int i = 0; i < removed.slots.size(); i++) {
        if (skipOneIn == 0 || random.nextInt(skipOneIn) > 0) {
          finder.trySlot(removed.slots.get(i));
        }
      }
      tryRandomCandidates(gang);
    }
    for (int i = 0; gang.tasks > 1 && i < removed.racks.size(); i++) {
      finder.tryRack(removed.racks.get(i));
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
    int pool = random.nextInt(gang.lossOfPool.length);
    if (gang.lossOfPool[pool] == Gang.FORBIDDEN) {
      return;
    }
    int count = occupancy.freeSlots.count(pool, gang.totalGpus);
    for (int i = 0; i < RANDOM_CANDIDATES && count > 0; i++) {
      finder.trySlot(occupancy.freeSlots.slot(pool, gang.totalGpus, random.nextInt(count)));
    }
  }
}
