package io.github.liquidscheduler.planner.search;

import io.github.liquidscheduler.placement.gang.PartialAssignment;
import io.github.liquidscheduler.planner.problem.Gang;
import io.github.liquidscheduler.planner.problem.GangAssignment;
import io.github.liquidscheduler.planner.problem.Occupancy;
import io.github.liquidscheduler.planner.problem.Problem;
import io.github.liquidscheduler.planner.problem.SlotTable;

/**
 * Finds the cheapest of the assignments tried for one waiting gang: call {@link #start}, then what
 * to try, then {@link #best}. Reuses its arrays; only the assignment returned is new. Not
 * thread-safe.
 */
final class AssignmentFinder {

  private final Occupancy occupancy;
  private final SlotTable slotTable;
  private final Problem problem;
  private final GangFiller filler;
  private final int[] oneSlot = new int[1];
  private final CheapestAssignment cheapest;
  private Gang gang;

  AssignmentFinder(Occupancy occupancy, Gang any) {
    this.occupancy = occupancy;
    problem = occupancy.problem;
    slotTable = occupancy.slotTable;
    filler = new GangFiller(occupancy);
    cheapest = new CheapestAssignment(occupancy, any);
    gang = any;
  }

  /** Begins a search for a gang, which waits. */
  void start(Gang gang) {
    this.gang = gang;
    cheapest.start(gang);
  }

  /** Returns true if an assignment was found. */
  boolean found() {
    return cheapest.isFound();
  }

  /** Returns the cheapest assignment found; {@link GangAssignment#UNASSIGNED} if there is none. */
  GangAssignment best() {
    return cheapest.toAssignment();
  }

  /** Returns the assignment of a gang with all tasks on one slot. */
  GangAssignment onOneSlot(Gang gang, int slot) {
    return problem.assignment(gang, new int[] {slot}, gang.count);
  }

  /** Tries all tasks together on one slot. */
  void trySlot(int slot) {
    if (occupancy.fits(gang, slot) && gang.allowsAll(slotTable, slot)) {
      oneSlot[0] = slot;
      cheapest.offer(oneSlot, gang.count, 1);
    }
  }

  /** Tries where the gang runs now; it must fit there. */
  void tryHome() {
    cheapest.offer(gang.home.slots, gang.home.byRole, gang.home.slots.length);
  }

  /** Tries all tasks together on each slot that holds them, until none can be cheaper. */
  void tryAllSlots() {
    if (gang.totalGpus > slotTable.largestSlot) {
      return;
    }
    boolean onlyInterferenceCounts =
        gang.isPlain && problem.leftOverPerGpu() == 0 && !problem.mayDifferInCost(gang);
    for (int pool = 0; pool < gang.lossOfPool.length; pool++) {
      if (gang.lossOfPool[pool] != Gang.FORBIDDEN) {
        if (onlyInterferenceCounts) {
          tryLeastLoadedSlot(pool);
        } else {
          trySlotsOf(pool);
        }
      }
    }
  }

  private void trySlotsOf(int pool) {
    int count = occupancy.freeSlots.count(pool, gang.totalGpus);
    for (int i = 0; i < count && !isBestPossible(); i++) {
      trySlot(occupancy.freeSlots.slot(pool, gang.totalGpus, i));
    }
  }

  /** Does the same where slots differ in interference only: most of the work of a greedy start. */
  private void tryLeastLoadedSlot(int pool) {
    int count = occupancy.freeSlots.count(pool, gang.totalGpus);
    int leastLoaded = -1;
    long least = Long.MAX_VALUE;
    for (int i = 0; i < count && least > 0; i++) {
      int slot = occupancy.freeSlots.slot(pool, gang.totalGpus, i);
      long cost = occupancy.interference.marginalCost(gang.interferenceClass, slotTable.node[slot]);
      if (cost < least && gang.allows(slotTable, slot)) {
        leastLoaded = slot;
        least = cost;
      }
    }
    if (leastLoaded >= 0) {
      trySlot(leastLoaded);
    }
  }

  /** Returns true if no assignment can be cheaper than the one found, on one node or on several. */
  private boolean isBestPossible() {
    return cheapest.cost() <= 0 && problem.leftOverPerGpu() == 0;
  }

  /** Returns true if no assignment on several nodes can be cheaper than the one found. */
  private boolean isSplittingTooExpensive() {
    long leastSplit = (gang.tasks - 1) * problem.networkCosts()[gang.id].leastPair();
    return problem.leftOverPerGpu() == 0 && cheapest.cost() <= leastSplit;
  }

  /** Tries tasks over the nodes of a rack, as far as the gang may use it. */
  boolean tryRack(int rack) {
    return occupancy.freeSlots.ofRack(rack) >= gang.totalGpus
        && tryRange(slotTable.firstSlot[rack], slotTable.firstSlot[rack + 1]);
  }

  /** Tries tasks on one slot, over every rack, and over wider domains if no rack holds them. */
  void tryEverywhere() {
    tryAllSlots();
    if (gang.tasks == 1) {
      return;
    }
    boolean fits = found();
    for (int rack = 0; rack < slotTable.racks && !isSplittingTooExpensive(); rack++) {
      fits |= tryRack(rack);
    }
    if (!fits) {
      tryWiderDomains();
    }
  }

  /** Tries domains wider than a rack, at the narrowest level at which one holds them. */
  void tryWiderDomains() {
    for (int level = slotTable.topology.levels().size() - 2; level >= gang.required; level--) {
      boolean fits = false;
      for (int slot = 0; slot < slotTable.slots; slot = slotTable.domainEnd(level, slot)) {
        fits |= tryAcrossRacks(slot, slotTable.domainEnd(level, slot));
      }
      if (fits) {
        return;
      }
    }
  }

  private boolean tryAcrossRacks(int from, int to) {
    boolean fits = false;
    for (int pool = 0; pool < gang.lossOfPool.length; pool++) {
      if (isAllowed(pool) && filler.overRacks(gang, pool, from, to)) {
        fits = true;
        offerFilled();
      }
    }
    return fits;
  }

  private boolean tryRange(int from, int to) {
    boolean fits = false;
    if (gang.required == 0) {
      return tryInside(from, to);
    }
    for (int slot = from; slot < to; slot = slotTable.domainEnd(gang.required, slot)) {
      fits |= tryInside(slot, Math.min(to, slotTable.domainEnd(gang.required, slot)));
    }
    return fits;
  }

  private boolean tryInside(int from, int to) {
    boolean fits = false;
    for (int pool = 0; pool < gang.lossOfPool.length; pool++) {
      if (isAllowed(pool) && filler.collect(gang, pool, from, to)) {
        fits |= offerIf(filler.pack());
        fits |= offerIf(filler.greedySpread());
        fits |= offerIf(filler.onePerNode());
      }
    }
    return fits;
  }

  private boolean isAllowed(int pool) {
    return gang.lossOfPool[pool] != Gang.FORBIDDEN && (gang.largestTask > 0 || pool == 0);
  }

  private boolean offerIf(boolean filled) {
    if (filled) {
      offerFilled();
    }
    return filled;
  }

  private void offerFilled() {
    PartialAssignment partial = filler.partial();
    cheapest.offer(partial.slots(), partial.byRole(), partial.size());
  }
}
