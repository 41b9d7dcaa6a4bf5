package io.github.liquidscheduler.planner.search;

import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.planner.problem.Gang;
import io.github.liquidscheduler.planner.problem.Occupancy;
import io.github.liquidscheduler.planner.problem.Problem;
import io.github.liquidscheduler.planner.problem.SlotTable;
import java.util.Arrays;

/**
 * Fills slots of a range with all tasks of a gang. {@link #pack} takes few nodes: while a single
 * one can hold all tasks left, they go to the cheapest that does, else the roomiest takes what it
 * can. {@link #greedySpread} puts task after task where interference and traffic together cost
 * least. {@link #onePerNode} leaves little behind each network card, where that is what counts: of
 * workers that do not fit beside their parameter server, and of tasks that all send to all, each
 * gets a node. Reuses its arrays; nothing is put anywhere. Not thread-safe.
 */
final class GangFiller {

  private static final int MAX_TASKS_GREEDY_SPREAD = 12;

  /** With fewer, packing does as well. */
  private static final int MIN_TASKS_ONE_PER_NODE = 4;

  private final Problem problem;
  private final SlotTable slotTable;
  private final PartialAssignment partial;
  private final CandidateSlots candidates;
  private int[] taken = new int[64];
  private Gang gang;
  private int from;
  private int to;

  GangFiller(Occupancy occupancy) {
    problem = occupancy.problem;
    slotTable = occupancy.slotTable;
    gang = problem.gangs()[0];
    partial = new PartialAssignment(slotTable, gang);
    candidates = new CandidateSlots(occupancy, partial);
  }

  /** Returns the assignment of the last attempt. */
  PartialAssignment partial() {
    return partial;
  }

  /** Collects the slots of a range that hold a task; returns whether all tasks may fit. */
  boolean collect(Gang gang, int pool, int from, int to) {
    choose(gang, pool);
    this.from = from;
    this.to = to;
    return gang.roles > 1 || candidates.collect(0, from, to) >= gang.count[0];
  }

  /** Fills few nodes; returns whether all tasks fit. */
  boolean pack() {
    partial.begin(gang);
    if (gang.roles == 1) {
      pack(0, gang.count[0]);
      return true;
    }
    return eachRole((role, before) -> pack(role, gang.count[role]));
  }

  /** Fills nodes task by task; returns whether all tasks fit and it was tried. */
  boolean greedySpread() {
    if (gang.tasks > MAX_TASKS_GREEDY_SPREAD || gang.tasks == 1) {
      return false;
    }
    partial.begin(gang);
    if (gang.roles == 1) {
      greedySpread(0, 0);
      return true;
    }
    return eachRole(this::greedySpread);
  }

  /** Fills nodes with a task each; returns whether all tasks fit and it was tried. */
  boolean onePerNode() {
    partial.begin(gang);
    Communication pattern = gang.job.communication();
    if (gang.tasks < MIN_TASKS_ONE_PER_NODE) {
      return false;
    }
    if (pattern instanceof Communication.AllToAll && gang.roles == 1) {
      forgetTaken();
      roundRobin(gang.tasks);
      fillTaken(0);
      return true;
    }
    return pattern instanceof Communication.ParameterServer
        && eachRole((role, before) -> fanOut(role));
  }

  /** Fills rack by rack: the tightest that holds all tasks left, else the roomiest. */
  boolean overRacks(Gang gang, int pool, int from, int to) {
    if (gang.roles > 1) {
      return collect(gang, pool, from, to) && pack();
    }
    choose(gang, pool);
    partial.begin(gang);
    int firstRack = slotTable.rack[from];
    int[] room = new int[slotTable.rack[to - 1] - firstRack + 1];
    long total = 0;
    for (int i = 0; i < room.length; i++) {
      room[i] = candidates.collect(0, rackFrom(firstRack + i, from), rackTo(firstRack + i, to));
      total += room[i];
    }
    int left = gang.count[0];
    if (total < left) {
      return false;
    }
    while (left > 0) {
      int rack = tightestOrRoomiest(room, left);
      candidates.collect(0, rackFrom(firstRack + rack, from), rackTo(firstRack + rack, to));
      int here = Math.min(left, room[rack]);
      pack(0, here);
      left -= here;
      room[rack] = 0;
    }
    return true;
  }

  private void choose(Gang gang, int pool) {
    this.gang = gang;
    candidates.choose(gang, pool);
  }

  private int rackFrom(int rack, int from) {
    return Math.max(from, slotTable.firstSlot[rack]);
  }

  private int rackTo(int rack, int to) {
    return Math.min(to, slotTable.firstSlot[rack + 1]);
  }

  private static int tightestOrRoomiest(int[] room, int left) {
    int best = 0;
    for (int i = 1; i < room.length; i++) {
      boolean enough = room[i] >= left;
      boolean better = room[best] >= left ? enough && room[i] < room[best] : room[i] > room[best];
      best = better ? i : best;
    }
    return best;
  }

  /** Places all tasks of a role, after so many of other roles. */
  private interface RoleFiller {
    void fill(int role, int before);
  }

  /** Places the roles one after the other, those with the largest tasks first. */
  private boolean eachRole(RoleFiller way) {
    int placed = 0;
    for (int gpus = gang.largestTask; gpus >= 0; gpus--) {
      for (int role = 0; role < gang.roles; role++) {
        if (gang.gpus[role] == gpus) {
          if (candidates.collect(role, from, to) < gang.count[role]) {
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
    forgetTaken();
    for (int left = tasks; left > 0; ) {
      int best = roomiest(left);
      taken[best] = Math.min(left, candidates.room(best));
      partial.take(role, candidates.slot(best), taken[best]);
      left -= taken[best];
    }
  }

  /** Puts as many tasks of a role on one slot as it holds, the others on a slot each. */
  private void fanOut(int role) {
    forgetTaken();
    int first = roomiest(gang.count[role]);
    taken[first] = Math.min(gang.count[role], candidates.room(first));
    roundRobin(gang.count[role] - taken[first]);
    fillTaken(role);
  }

  /** Takes a task of each slot, the cheapest first, then another of each, and so on. */
  private void roundRobin(int tasks) {
    int left = tasks;
    for (int most = 1; left > 0; most++) {
      for (int best = leastLoaded(most); left > 0 && best >= 0; best = leastLoaded(most)) {
        taken[best]++;
        left--;
      }
    }
  }

  private void fillTaken(int role) {
    for (int i = 0; i < candidates.size(); i++) {
      if (taken[i] > 0) {
        partial.take(role, candidates.slot(i), taken[i]);
      }
    }
  }

  /** Returns the best slot for tasks left of which nothing was taken. */
  private int roomiest(int left) {
    int best = -1;
    for (int i = 0; i < candidates.size(); i++) {
      if (taken[i] == 0 && (best < 0 || isBetter(i, best, left))) {
        best = i;
      }
    }
    return best;
  }

  /** Returns the cheapest slot of which less than {@code most} tasks are taken; -1 if none. */
  private int leastLoaded(int most) {
    int best = -1;
    for (int i = 0; i < candidates.size(); i++) {
      if (taken[i] < Math.min(most, candidates.room(i))
          && (best < 0 || candidates.cost(i) < candidates.cost(best))) {
        best = i;
      }
    }
    return best;
  }

  private boolean isBetter(int one, int other, int left) {
    if (gang.roles > 1) {
      int onOne = partial.tasksOn(candidates.slot(one));
      int onOther = partial.tasksOn(candidates.slot(other));
      if (onOne != onOther) {
        return onOne > onOther;
      }
    }
    boolean oneHoldsAll = candidates.room(one) >= left;
    boolean otherHoldsAll = candidates.room(other) >= left;
    if (oneHoldsAll != otherHoldsAll) {
      return oneHoldsAll;
    }
    if (!oneHoldsAll && candidates.room(one) != candidates.room(other)) {
      return candidates.room(one) > candidates.room(other);
    }
    return candidates.cost(one) < candidates.cost(other)
        || (candidates.cost(one) == candidates.cost(other)
            && candidates.room(one) < candidates.room(other));
  }

  /** Spreads the tasks of a role after so many of other roles. */
  private void greedySpread(int role, int before) {
    forgetTaken();
    for (int task = 0; task < gang.count[role]; task++) {
      int best = cheapest(before + task);
      taken[best]++;
      if (gang.roles > 1) {
        partial.take(role, candidates.slot(best), 1);
      }
    }
    if (gang.roles == 1) {
      fillTaken(role);
    }
  }

  /** Returns the slot where one more task costs least, after so many. */
  private int cheapest(int placed) {
    long hint = problem.networkCosts()[gang.id].pairHint();
    int best = -1;
    long bestCost = Long.MAX_VALUE;
    for (int i = 0; i < candidates.size(); i++) {
      if (taken[i] < candidates.room(i)) {
        long cost = candidates.cost(i) + hint * (placed - tasksOn(i));
        if (cost < bestCost) {
          best = i;
          bestCost = cost;
        }
      }
    }
    return best;
  }

  private int tasksOn(int candidate) {
    return gang.roles == 1 ? taken[candidate] : partial.tasksOn(candidates.slot(candidate));
  }

  private void forgetTaken() {
    if (taken.length < candidates.size()) {
      taken = new int[2 * candidates.size()];
    }
    Arrays.fill(taken, 0, candidates.size(), 0);
  }
}
