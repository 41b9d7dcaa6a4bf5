package io.github.liquidscheduler.planner.search;

import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.placement.gang.PartialAssignment;
import io.github.liquidscheduler.planner.problem.Gang;
import io.github.liquidscheduler.planner.problem.Occupancy;
import io.github.liquidscheduler.planner.problem.Problem;
import io.github.liquidscheduler.planner.problem.SlotTable;

/**
 * Fills slots of a range with all tasks of a gang. {@link #pack} takes few nodes: while a single
 * one can hold all tasks left, they go to the cheapest that does, else the one that holds most
 * takes what it can. {@link #greedySpread} puts task after task where interference and traffic
 * together cost least. {@link #onePerNode} leaves little behind each network card, where that is
 * what counts: of workers that do not fit beside their parameter server, and of tasks that all send
 * to all, each gets a node. Reuses its arrays; nothing is put anywhere. Not thread-safe.
 */
final class GangFiller {

  private static final int MAX_TASKS_GREEDY_SPREAD = 12;

  /** With fewer, packing does as well. */
  private static final int MIN_TASKS_ONE_PER_NODE = 4;

  private final Problem problem;
  private final SlotTable slotTable;
  private final PartialAssignment partial;
  private final CandidateSlots candidates;
  private Gang gang;
  private int from;
  private int to;
  private final RoleFiller packing = (role, before) -> pack(role, gang.count[role]);
  private final RoleFiller spreading = this::greedySpread;
  private final RoleFiller roundRobin = (role, before) -> roundRobin(role);
  private final RoleFiller fanOut = (role, before) -> fanOut(role);

  GangFiller(Occupancy occupancy) {
    problem = occupancy.problem;
    slotTable = occupancy.slotTable;
    gang = problem.gangs()[0];
    partial = new PartialAssignment(slotTable.node);
    candidates = new CandidateSlots(occupancy, partial);
  }

  /** Returns the assignment of the last attempt. */
  PartialAssignment partial() {
    return partial;
  }

  /** Collects the slots of a range that hold a task; returns true if all tasks may fit. */
  boolean collect(Gang gang, int pool, int from, int to) {
    begin(gang, pool);
    this.from = from;
    this.to = to;
    return gang.roles > 1 || candidates.collect(0, from, to) >= gang.count[0];
  }

  /** Fills few nodes; returns true if all tasks fit. */
  boolean pack() {
    return eachRole(packing);
  }

  /** Fills nodes task by task; returns true if all tasks fit and it was tried. */
  boolean greedySpread() {
    return gang.tasks > 1 && gang.tasks <= MAX_TASKS_GREEDY_SPREAD && eachRole(spreading);
  }

  /** Fills nodes with a task each; returns true if all tasks fit and it was tried. */
  boolean onePerNode() {
    Communication pattern = gang.job.communication();
    if (gang.tasks < MIN_TASKS_ONE_PER_NODE) {
      return false;
    }
    if (pattern instanceof Communication.AllToAll && gang.roles == 1) {
      return eachRole(roundRobin);
    }
    return pattern instanceof Communication.ParameterServer && eachRole(fanOut);
  }

  /** Fills rack by rack: the tightest that holds all tasks left, else the one that holds most. */
  boolean overRacks(Gang gang, int pool, int from, int to) {
    if (gang.roles > 1) {
      return collect(gang, pool, from, to) && pack();
    }
    begin(gang, pool);
    int firstRack = slotTable.rack[from];
    int[] capacity = new int[slotTable.rack[to - 1] - firstRack + 1];
    long total = 0;
    for (int i = 0; i < capacity.length; i++) {
      capacity[i] = collectRack(firstRack + i, from, to);
      total += capacity[i];
    }
    int left = gang.count[0];
    if (total < left) {
      return false;
    }
    while (left > 0) {
      int rack = tightestOrLargest(capacity, left);
      collectRack(firstRack + rack, from, to);
      int here = Math.min(left, capacity[rack]);
      pack(0, here);
      left -= here;
      capacity[rack] = 0;
    }
    return true;
  }

  private void begin(Gang gang, int pool) {
    this.gang = gang;
    partial.begin(gang.requests);
    candidates.choose(gang, pool);
  }

  private int collectRack(int rack, int from, int to) {
    return candidates.collect(
        0, Math.max(from, slotTable.firstSlot[rack]), Math.min(to, slotTable.firstSlot[rack + 1]));
  }

  private static int tightestOrLargest(int[] capacity, int left) {
    int best = 0;
    for (int i = 1; i < capacity.length; i++) {
      boolean enough = capacity[i] >= left;
      boolean better =
          capacity[best] >= left
              ? enough && capacity[i] < capacity[best]
              : capacity[i] > capacity[best];
      best = better ? i : best;
    }
    return best;
  }

  /** Places all tasks of a role, after those of other roles. */
  private interface RoleFiller {
    void fill(int role, int before);
  }

  /**
   * Places the roles one after the other, those with the largest tasks first. The slots for an only
   * role are collected already.
   */
  private boolean eachRole(RoleFiller way) {
    partial.begin(gang.requests);
    int placed = 0;
    for (int gpus = gang.largestTask; gpus >= 0; gpus--) {
      for (int role = 0; role < gang.roles; role++) {
        if (gang.gpus[role] == gpus) {
          if (gang.roles > 1 && candidates.collect(role, from, to) < gang.count[role]) {
            return false;
          }
          way.fill(role, placed);
          placed += gang.count[role];
        }
      }
    }
    return true;
  }

  private void pack(int role, int tasks) {
    candidates.forgetTaken();
    for (int left = tasks; left > 0; ) {
      int best = candidates.largest(left);
      int here = Math.min(left, candidates.capacity(best));
      candidates.take(best, here);
      candidates.assign(best, role, here);
      left -= here;
    }
  }

  /** Puts as many tasks of a role on one slot as it holds, the others on a slot each. */
  private void fanOut(int role) {
    candidates.forgetTaken();
    int first = candidates.largest(gang.count[role]);
    int here = Math.min(gang.count[role], candidates.capacity(first));
    candidates.take(first, here);
    takeInTurn(gang.count[role] - here);
    candidates.assignTaken(role);
  }

  /** Puts the tasks of a role on a slot each. */
  private void roundRobin(int role) {
    candidates.forgetTaken();
    takeInTurn(gang.count[role]);
    candidates.assignTaken(role);
  }

  /** Takes a task of each slot, the cheapest first, then another of each, and so on. */
  private void takeInTurn(int tasks) {
    int left = tasks;
    for (int most = 1; left > 0; most++) {
      int best = candidates.leastLoaded(most);
      while (left > 0 && best >= 0) {
        candidates.take(best, 1);
        left--;
        best = candidates.leastLoaded(most);
      }
    }
  }

  /** Spreads the tasks of a role after {@code before} of other roles. */
  private void greedySpread(int role, int before) {
    long pairCost = problem.networkCosts()[gang.id].pairHint();
    candidates.forgetTaken();
    for (int task = 0; task < gang.count[role]; task++) {
      int best = candidates.cheapest(before + task, pairCost);
      candidates.take(best, 1);
      if (gang.roles > 1) {
        candidates.assign(best, role, 1);
      }
    }
    if (gang.roles == 1) {
      candidates.assignTaken(role);
    }
  }
}
