package io.github.liquidscheduler.planner.search;

import io.github.liquidscheduler.planner.problem.Gang;
import io.github.liquidscheduler.planner.problem.GangAssignment;
import io.github.liquidscheduler.planner.problem.Occupancy;
import io.github.liquidscheduler.planner.problem.SlotTable;
import java.util.SplittableRandom;

/**
 * Draws moves and evaluates them until one will be accepted: one gang relocated, two gangs
 * exchanged, a chain in which a gang displaces others, and ruin-and-recreate of gangs that share a
 * node or rack. Most moves are evaluated by a few sums without touching the plan; the others change
 * it and change it back. Not thread-safe.
 */
final class Search {

  private static final int TARGETS = 4;
  private static final int SKIP_ONE_IN = 12;

  private final Occupancy occupancy;
  private final SlotTable slotTable;
  private final Gang[] gangs;
  private final SplittableRandom random;
  private final Acceptance acceptance;
  private final AssignmentFinder finder;
  private final MoveDeltas deltas;
  private final int maxRemoved;
  private final RuinAndRecreate removals;
  private long movesEvaluated;
  private int size;
  private final int[] moved = new int[RemovedGangs.MOST_WITH_OTHERS];
  private final GangAssignment[] destinations = new GangAssignment[RemovedGangs.MOST_WITH_OTHERS];

  Search(Occupancy occupancy, Acceptance acceptance, long seed, int maxRemoved) {
    this.occupancy = occupancy;
    this.acceptance = acceptance;
    this.maxRemoved = maxRemoved;
    slotTable = occupancy.slotTable;
    gangs = occupancy.problem.gangs();
    random = new SplittableRandom(seed);
    finder = new AssignmentFinder(occupancy, gangs[0]);
    deltas = new MoveDeltas(occupancy, finder);
    removals = new RuinAndRecreate(occupancy, finder, random);
  }

  /** Returns the number of moves evaluated. */
  long movesEvaluated() {
    return movesEvaluated;
  }

  /** Returns the number of gangs that the found move moves. */
  int size() {
    return size;
  }

  int gang(int at) {
    return moved[at];
  }

  GangAssignment to(int at) {
    return destinations[at];
  }

  /** Evaluates up to {@code most} moves; returns true if one was found that will be accepted. */
  boolean find(long most) {
    size = 0;
    for (long i = 0; i < most; i++) {
      movesEvaluated++;
      size = 0;
      if (draw()) {
        return true;
      }
    }
    return false;
  }

  private boolean draw() {
    int draw = random.nextInt(100);
    if (draw < 35) {
      return relocate(randomGang());
    }
    if (draw < 85) {
      return exchange(randomGang(), randomGang());
    }
    return draw < 92 ? chain() : ruin();
  }

  private Gang randomGang() {
    if (occupancy.waiting() > 0 && random.nextInt(4) == 0) {
      int start = random.nextInt(gangs.length);
      for (int i = 0; i < gangs.length; i++) {
        Gang gang = gangs[(start + i) % gangs.length];
        if (occupancy.assignments[gang.id].isUnassigned()) {
          return gang;
        }
      }
    }
    Gang gang = gangs[random.nextInt(gangs.length)];
    return gang.others.length > 0 && random.nextInt(4) > 0 ? atItsSize(gang) : gang;
  }

  /** Returns the gang at whose size a job is placed, if it is. */
  private Gang atItsSize(Gang gang) {
    for (int other : gang.others) {
      if (!occupancy.assignments[other].isUnassigned()) {
        return gangs[other];
      }
    }
    return gang;
  }

  /** Relocates a gang to the best of a few assignments drawn. */
  private boolean relocate(Gang gang) {
    int from = occupancy.only[gang.id];
    if (from >= 0 && (gang.tasks == 1 || random.nextInt(8) > 0)) {
      return relocateWhole(gang, from);
    }
    return removals.relocate(gang) && take();
  }

  private boolean relocateWhole(Gang gang, int from) {
    int pool = slotTable.pool[from];
    int count = occupancy.freeSlots.count(pool, gang.totalGpus);
    if (count == 0) {
      return false;
    }
    int best = -1;
    long bestCost = Long.MAX_VALUE;
    for (int i = 0; i < TARGETS; i++) {
      int slot = occupancy.freeSlots.slot(pool, gang.totalGpus, random.nextInt(count));
      if (slot != from && occupancy.fits(gang, slot) && gang.allowsAll(slotTable, slot)) {
        long cost = deltas.arrival(gang, slot);
        if (cost < bestCost) {
          best = slot;
          bestCost = cost;
        }
      }
    }
    if (best < 0 || !isAccepted(deltas.relocation(gang, from, best, bestCost))) {
      return false;
    }
    add(gang, finder.onOneSlot(gang, best));
    return true;
  }

  /** Exchanges two gangs. */
  private boolean exchange(Gang one, Gang other) {
    int oneSlot = occupancy.only[one.id];
    int otherSlot = occupancy.only[other.id];
    if (oneSlot < 0 || otherSlot < 0) {
      return one.id != other.id && removals.exchange(one, other) && take();
    }
    if (!deltas.mayExchange(one, oneSlot, other, otherSlot)
        || !isAccepted(deltas.exchange(one, oneSlot, other, otherSlot))) {
      return false;
    }
    add(one, finder.onOneSlot(one, otherSlot));
    add(other, finder.onOneSlot(other, oneSlot));
    return true;
  }

  private boolean chain() {
    Gang gang = randomGang();
    int slot = random.nextInt(slotTable.slots);
    return gang.allows(slotTable, slot) && removals.chain(gang, slot) && take();
  }

  private boolean ruin() {
    int most = 2 + random.nextInt(maxRemoved - 1);
    return removals.ruin(randomGang(), randomGang(), most, SKIP_ONE_IN) && take();
  }

  /** Takes over the move that was tried out and undone, if it will be accepted. */
  private boolean take() {
    if (!acceptance.accepts(
        occupancy.waiting() + removals.waitingDelta(), occupancy.soft() + removals.softDelta())) {
      return false;
    }
    RemovedGangs tried = removals.moved();
    for (int i = 0; i < tried.size(); i++) {
      if (!tried.to(i).isSameAs(occupancy.assignments[tried.gang(i).id])) {
        add(tried.gang(i), tried.to(i));
      }
    }
    return size > 0;
  }

  private boolean isAccepted(long softDelta) {
    return acceptance.accepts(occupancy.waiting(), occupancy.soft() + softDelta);
  }

  private void add(Gang gang, GangAssignment to) {
    moved[size] = gang.id;
    destinations[size++] = to;
  }
}
