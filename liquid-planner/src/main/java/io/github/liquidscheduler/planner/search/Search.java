package io.github.liquidscheduler.planner.search;

import io.github.liquidscheduler.planner.problem.Gang;
import io.github.liquidscheduler.planner.problem.GangAssignment;
import io.github.liquidscheduler.planner.problem.InterferenceScore;
import io.github.liquidscheduler.planner.problem.Occupancy;
import io.github.liquidscheduler.planner.problem.Problem;
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
  private final Problem problem;
  private final SlotTable slotTable;
  private final InterferenceScore interference;
  private final Gang[] gangs;
  private final SplittableRandom random;
  private final Acceptance acceptance;
  private final AssignmentFinder finder;
  private final int maxRemoved;
  private final RuinAndRecreate removals;
  private long movesEvaluated;
  private int size;
  private final int[] moved;
  private final GangAssignment[] destinations;

  Search(Occupancy occupancy, Acceptance acceptance, long seed, int maxRemoved) {
    this.occupancy = occupancy;
    this.acceptance = acceptance;
    this.maxRemoved = maxRemoved;
    problem = occupancy.problem;
    slotTable = occupancy.slotTable;
    interference = occupancy.interference;
    gangs = problem.gangs();
    random = new SplittableRandom(seed);
    finder = new AssignmentFinder(occupancy, gangs[0]);
    removals = new RuinAndRecreate(occupancy, finder, random);
    moved = new int[Math.max(2, RuinAndRecreate.MOST)];
    destinations = new GangAssignment[moved.length];
  }

  /** Returns how many moves were evaluated. */
  long movesEvaluated() {
    return movesEvaluated;
  }

  /** Returns how many gangs the move found moves. */
  int size() {
    return size;
  }

  int gang(int at) {
    return moved[at];
  }

  GangAssignment to(int at) {
    return destinations[at];
  }

  /** Evaluates up to {@code most} moves; returns whether one was found that will be accepted. */
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
    return gangs[random.nextInt(gangs.length)];
  }

  /** Relocates a gang to the best of a few assignments drawn. */
  private boolean relocate(Gang gang) {
    int from = occupancy.only[gang.id];
    if (from >= 0 && (gang.tasks == 1 || random.nextInt(8) > 0)) {
      return relocateWhole(gang, from);
    }
    return removals.relocate(gang) && take(removals);
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
        long cost = arrival(gang, slot);
        if (cost < bestCost) {
          best = slot;
          bestCost = cost;
        }
      }
    }
    if (best < 0) {
      return false;
    }
    long delta = bestCost - departure(gang, from);
    if (problem.mayDifferInCost(gang)) {
      GangAssignment assignment = finder.onOneSlot(gang, best);
      delta += assignment.cost - occupancy.assignments[gang.id].cost;
    }
    if (!isAccepted(delta)) {
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
      return one.id != other.id && removals.exchange(one, other) && take(removals);
    }
    if (oneSlot == otherSlot
        || areAlike(one, other)
        || !mayExchange(one, oneSlot, other, otherSlot)) {
      return false;
    }
    long delta = deltaOfExchange(one, oneSlot, other, otherSlot);
    if (!isAccepted(delta)) {
      return false;
    }
    add(one, finder.onOneSlot(one, otherSlot));
    add(other, finder.onOneSlot(other, oneSlot));
    return true;
  }

  /** Returns whether an exchange of the two would change nothing that counts. */
  private boolean areAlike(Gang one, Gang other) {
    return one.interferenceClass == other.interferenceClass
        && one.tasks == other.tasks
        && one.totalGpus == other.totalGpus
        && !one.asksOfHost
        && !other.asksOfHost
        && !problem.mayDifferInCost(one)
        && !problem.mayDifferInCost(other);
  }

  private boolean mayExchange(Gang one, int oneSlot, Gang other, int otherSlot) {
    int more = one.totalGpus - other.totalGpus;
    return occupancy.free[oneSlot] + more >= 0
        && occupancy.free[otherSlot] - more >= 0
        && one.allowsAll(slotTable, otherSlot)
        && other.allowsAll(slotTable, oneSlot)
        && hostMayExchange(one, oneSlot, other, otherSlot);
  }

  private boolean hostMayExchange(Gang one, int oneSlot, Gang other, int otherSlot) {
    if (!one.asksOfHost && !other.asksOfHost) {
      return true;
    }
    int oneNode = slotTable.node[oneSlot];
    int otherNode = slotTable.node[otherSlot];
    long cpu = one.totalCpu - other.totalCpu;
    long memory = one.totalMemory - other.totalMemory;
    return occupancy.freeCpu[oneNode] + cpu >= 0
        && occupancy.freeCpu[otherNode] - cpu >= 0
        && occupancy.freeMemory[oneNode] + memory >= 0
        && occupancy.freeMemory[otherNode] - memory >= 0;
  }

  private long deltaOfExchange(Gang one, int oneSlot, Gang other, int otherSlot) {
    int oneNode = slotTable.node[oneSlot];
    int otherNode = slotTable.node[otherSlot];
    long pair = interference.pairCost(one.interferenceClass, other.interferenceClass);
    long delta =
        one.tasks
                * (interference.marginalCost(one.interferenceClass, otherNode)
                    - other.tasks * pair
                    - interference.marginalCost(one.interferenceClass, oneNode)
                    + one.tasks
                        * interference.pairCost(one.interferenceClass, one.interferenceClass))
            + other.tasks
                * (interference.marginalCost(other.interferenceClass, oneNode)
                    - one.tasks * pair
                    - interference.marginalCost(other.interferenceClass, otherNode)
                    + other.tasks
                        * interference.pairCost(other.interferenceClass, other.interferenceClass));
    if (oneNode == otherNode) {
      return 0;
    }
    int more = one.totalGpus - other.totalGpus;
    if (more != 0) {
      delta +=
          problem.leftOver(oneSlot, occupancy.free[oneSlot] + more)
              - problem.leftOver(oneSlot, occupancy.free[oneSlot])
              + problem.leftOver(otherSlot, occupancy.free[otherSlot] - more)
              - problem.leftOver(otherSlot, occupancy.free[otherSlot]);
    }
    if (problem.mayDifferInCost(one) || problem.mayDifferInCost(other)) {
      delta +=
          finder.onOneSlot(one, otherSlot).cost
              + finder.onOneSlot(other, oneSlot).cost
              - occupancy.assignments[one.id].cost
              - occupancy.assignments[other.id].cost;
    }
    return delta;
  }

  private boolean chain() {
    Gang gang = randomGang();
    int slot = random.nextInt(slotTable.slots);
    return gang.allows(slotTable, slot) && removals.chain(gang, slot) && take(removals);
  }

  private boolean ruin() {
    int most = 2 + random.nextInt(maxRemoved - 1);
    return removals.ruin(randomGang(), randomGang(), most, SKIP_ONE_IN) && take(removals);
  }

  /** Takes over the move that was tried out and undone, if it will be accepted. */
  private boolean take(RuinAndRecreate tried) {
    if (!acceptance.accepts(
        occupancy.waiting() + tried.waitingDelta(), occupancy.soft() + tried.softDelta())) {
      return false;
    }
    for (int i = 0; i < tried.size(); i++) {
      if (!tried.to(i).isSameAs(occupancy.assignments[tried.gang(i)])) {
        add(gangs[tried.gang(i)], tried.to(i));
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

  /** Returns what a gang costs beside those on its slot, and what it leaves over there. */
  private long departure(Gang gang, int slot) {
    int free = occupancy.free[slot];
    return gang.tasks
            * (interference.marginalCost(gang.interferenceClass, slotTable.node[slot])
                - gang.tasks
                    * interference.pairCost(gang.interferenceClass, gang.interferenceClass))
        + problem.leftOver(slot, free)
        - problem.leftOver(slot, free + gang.totalGpus);
  }

  private long arrival(Gang gang, int slot) {
    int free = occupancy.free[slot];
    return gang.tasks * interference.marginalCost(gang.interferenceClass, slotTable.node[slot])
        + problem.leftOver(slot, free - gang.totalGpus)
        - problem.leftOver(slot, free);
  }
}
