package io.github.liquidscheduler.planner.search;

import io.github.liquidscheduler.planner.problem.Gang;
import io.github.liquidscheduler.planner.problem.GangAssignment;
import io.github.liquidscheduler.planner.problem.Occupancy;
import io.github.liquidscheduler.planner.problem.Problem;
import io.github.liquidscheduler.planner.problem.SlotTable;
import java.util.Arrays;

/**
 * Finds the cheapest of the places looked at for one waiting gang: call {@link #start}, then what
 * to look at, then {@link #best}. Reuses its arrays; only the place returned is new. Not
 * thread-safe.
 */
final class AssignmentFinder {

  private final Occupancy occupancy;
  private final SlotTable slotTable;
  private final Problem problem;
  private final GangFiller fill;
  private final int[] oneSlot = new int[1];
  private int[] bestSlots = new int[16];
  private int[] bestByRole = new int[16];
  private int bestSize;
  private long bestCost;
  private Gang gang;

  AssignmentFinder(Occupancy occupancy, Gang any) {
    this.occupancy = occupancy;
    problem = occupancy.problem;
    slotTable = occupancy.slotTable;
    fill = new GangFiller(occupancy);
    gang = any;
  }

  /** Begins to look for a gang, which waits. */
  void start(Gang gang) {
    this.gang = gang;
    bestSize = 0;
    bestCost = Long.MAX_VALUE;
  }

  /** Returns whether a place was found. */
  boolean found() {
    return bestSize > 0;
  }

  /** Returns by how much the cheapest place found raises the cost. */
  long cost() {
    return bestCost;
  }

  /** Returns the cheapest place found; {@link GangAssignment#UNASSIGNED} if there is none. */
  GangAssignment best() {
    if (bestSize == 0) {
      return GangAssignment.UNASSIGNED;
    }
    int[] slots = Arrays.copyOf(bestSlots, bestSize);
    int[] byRole = Arrays.copyOf(bestByRole, bestSize * gang.roles);
    return problem.place(gang, slots, byRole);
  }

  /** Returns the place of a gang with all tasks on one slot, priced. */
  GangAssignment onOneSlot(Gang gang, int slot) {
    return problem.place(gang, new int[] {slot}, gang.count);
  }

  /** Looks at all tasks together on one slot. */
  void lookAtSlot(int slot) {
    if (occupancy.fits(gang, slot) && mayHoldAll(slot)) {
      oneSlot[0] = slot;
      offer(oneSlot, gang.count, 1);
    }
  }

  /** Looks at where the gang runs now, where it fits. */
  void lookAtHome() {
    offer(gang.home.slots, gang.home.byRole, gang.home.slots.length);
  }

  /** Looks at all tasks together on each slot that has room, until none can be cheaper. */
  void lookAtAllSlots() {
    if (gang.totalGpus > slotTable.largestSlot) {
      return;
    }
    boolean onlyNeighboursCount =
        gang.isPlain && problem.leftOverPerGpu() == 0 && !problem.hasOwnPrices(gang);
    for (int pool = 0; pool < gang.rankOfPool.length; pool++) {
      if (gang.rankOfPool[pool] != Gang.FORBIDDEN) {
        if (onlyNeighboursCount) {
          lookAtQuietestSlot(pool);
        } else {
          lookAtSlotsOf(pool);
        }
      }
    }
  }

  private void lookAtSlotsOf(int pool) {
    int count = occupancy.freeSlots.count(pool, gang.totalGpus);
    for (int i = 0; i < count && !isBestPossible(); i++) {
      lookAtSlot(occupancy.freeSlots.slot(pool, gang.totalGpus, i));
    }
  }

  /** Does the same where slots differ in their neighbours only: most of the work of a start. */
  private void lookAtQuietestSlot(int pool) {
    int count = occupancy.freeSlots.count(pool, gang.totalGpus);
    int quietest = -1;
    long least = Long.MAX_VALUE;
    for (int i = 0; i < count && least > 0; i++) {
      int slot = occupancy.freeSlots.slot(pool, gang.totalGpus, i);
      long rate = occupancy.neighbours.rate(gang.kind, slotTable.node[slot]);
      if (rate < least && gang.allows(slotTable, slot)) {
        quietest = slot;
        least = rate;
      }
    }
    if (quietest >= 0) {
      lookAtSlot(quietest);
    }
  }

  /** Returns whether no place can be cheaper than the one found, on one node or on several. */
  private boolean isBestPossible() {
    return bestCost <= 0 && problem.leftOverPerGpu() == 0;
  }

  /** Returns whether no place on several nodes can be cheaper than the one found. */
  private boolean isSplittingTooDear() {
    long leastSplit = (gang.tasks - 1) * problem.prices()[gang.id].leastPair();
    return problem.leftOverPerGpu() == 0 && bestCost <= leastSplit;
  }

  /** Looks at tasks spread over a rack, as far as the gang may use it. */
  boolean lookAtRack(int rack) {
    return occupancy.freeSlots.ofRack(rack) >= gang.totalGpus
        && lookAtRange(slotTable.firstSlot[rack], slotTable.firstSlot[rack + 1]);
  }

  /** Looks at tasks spread over every rack, and over wider domains if no rack has room. */
  void lookEverywhere() {
    lookAtAllSlots();
    if (gang.tasks == 1) {
      return;
    }
    boolean fits = bestSize > 0;
    for (int rack = 0; rack < slotTable.racks && !isSplittingTooDear(); rack++) {
      fits |= lookAtRack(rack);
    }
    if (!fits) {
      lookWide();
    }
  }

  /** Looks at domains wider than a rack, at the narrowest level at which one has room. */
  void lookWide() {
    for (int level = slotTable.topology.levels().size() - 2; level >= gang.required; level--) {
      boolean fits = false;
      for (int slot = 0; slot < slotTable.slots; slot = slotTable.domainEnd(level, slot)) {
        fits |= lookOverRacks(slot, slotTable.domainEnd(level, slot));
      }
      if (fits) {
        return;
      }
    }
  }

  private boolean lookOverRacks(int from, int to) {
    boolean fits = false;
    for (int pool = 0; pool < gang.rankOfPool.length; pool++) {
      if (isWorthALook(pool) && fill.overRacks(gang, pool, from, to)) {
        fits = true;
        offerFilled();
      }
    }
    return fits;
  }

  private boolean lookAtRange(int from, int to) {
    boolean fits = false;
    if (gang.required == 0) {
      return lookInside(from, to);
    }
    for (int slot = from; slot < to; slot = slotTable.domainEnd(gang.required, slot)) {
      fits |= lookInside(slot, Math.min(to, slotTable.domainEnd(gang.required, slot)));
    }
    return fits;
  }

  private boolean lookInside(int from, int to) {
    boolean fits = false;
    for (int pool = 0; pool < gang.rankOfPool.length; pool++) {
      if (isWorthALook(pool) && fill.collect(gang, pool, from, to)) {
        fits |= offerIf(fill.packed());
        fits |= offerIf(fill.spread());
        fits |= offerIf(fill.apart());
      }
    }
    return fits;
  }

  private boolean isWorthALook(int pool) {
    return gang.rankOfPool[pool] != Gang.FORBIDDEN && (gang.largestTask > 0 || pool == 0);
  }

  private boolean offerIf(boolean filled) {
    if (filled) {
      offerFilled();
    }
    return filled;
  }

  private void offerFilled() {
    PartialAssignment filled = fill.filled();
    offer(filled.slots(), filled.byRole(), filled.size());
  }

  private boolean mayHoldAll(int slot) {
    if (gang.roles == 1) {
      return gang.allows(slotTable, slot, 0);
    }
    for (int role = 0; role < gang.roles; role++) {
      if (!gang.allows(slotTable, slot, role)) {
        return false;
      }
    }
    return true;
  }

  /** Keeps a place if it is the cheapest so far; of equal ones the first. */
  private void offer(int[] slots, int[] byRole, int size) {
    long cost = problem.priceOf(gang, slots, byRole, size);
    for (int i = 0; i < size && cost < bestCost; i++) {
      cost += costOnSlot(slots[i], byRole, i);
    }
    if (cost < bestCost) {
      cost += occupancy.links.rise(problem.uses(gang, slots, byRole, size));
    }
    if (cost >= bestCost) {
      return;
    }
    if (size > bestSlots.length) {
      bestSlots = new int[2 * size];
    }
    if (size * gang.roles > bestByRole.length) {
      bestByRole = new int[2 * size * gang.roles];
    }
    System.arraycopy(slots, 0, bestSlots, 0, size);
    System.arraycopy(byRole, 0, bestByRole, 0, size * gang.roles);
    bestSize = size;
    bestCost = cost;
  }

  private long costOnSlot(int slot, int[] byRole, int at) {
    int tasks = 0;
    int gpus = 0;
    for (int role = 0; role < gang.roles; role++) {
      int count = byRole[at * gang.roles + role];
      tasks += count;
      gpus += count * gang.gpus[role];
    }
    int free = occupancy.free[slot];
    return occupancy.neighbours.rate(gang.kind, slotTable.node[slot]) * tasks
        + problem.leftOver(slot, free - gpus)
        - problem.leftOver(slot, free);
  }
}
