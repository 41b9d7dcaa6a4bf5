package io.github.liquidscheduler.placement.batch;

import java.util.Arrays;

/**
 * Fills slots of a range with all tasks of a gang. <em>Packed</em> takes few nodes: while a single
 * one can hold all tasks left, they go to the cheapest that does, else the roomiest takes what it
 * can. <em>Spread</em> puts task after task where neighbours and traffic together cost least.
 * Reuses its arrays; nothing is put anywhere. Not thread-safe.
 */
final class RangeFill {

  private static final int MOST_TASKS_SPREAD = 12;

  private final Occupancy occupancy;
  private final Grounds grounds;
  private final int[] usedGpus;
  private final long[] usedCpu;
  private final long[] usedMemory;
  private final int[] position;
  private int[] slots = new int[64];
  private int[] byRole = new int[64];
  private int size;
  private int[] candidates = new int[64];
  private int[] caps = new int[64];
  private long[] rates = new long[64];
  private int[] taken = new int[64];
  private int candidateCount;
  private SharedLinks.Uses usesHint = SharedLinks.Uses.NONE;
  private Gang gang;
  private int pool;
  private int from;
  private int to;

  RangeFill(Occupancy occupancy) {
    this.occupancy = occupancy;
    grounds = occupancy.grounds;
    usedGpus = new int[grounds.slots];
    usedCpu = new long[grounds.freeCpu.length];
    usedMemory = new long[grounds.freeCpu.length];
    position = new int[grounds.slots];
    Arrays.fill(position, -1);
    gang = occupancy.problem.gangs()[0];
  }

  int[] slots() {
    return slots;
  }

  int[] byRole() {
    return byRole;
  }

  int size() {
    return size;
  }

  /** Collects the slots of a range that hold a task; returns whether all tasks may fit. */
  boolean collect(Gang gang, int pool, int from, int to) {
    begin(gang, pool);
    this.from = from;
    this.to = to;
    return gang.roles > 1 || collectFor(0, from, to) >= gang.count[0];
  }

  /** Fills few nodes; returns whether all tasks fit. */
  boolean packed() {
    begin();
    if (gang.roles == 1) {
      pack(gang.count[0]);
      return true;
    }
    return eachRole(true);
  }

  /** Fills nodes task by task; returns whether all tasks fit and it was tried. */
  boolean spread() {
    if (gang.tasks > MOST_TASKS_SPREAD || gang.tasks == 1) {
      return false;
    }
    begin();
    if (gang.roles == 1) {
      spread(0, gang.count[0], 0);
      return true;
    }
    return eachRole(false);
  }

  /** Fills rack by rack: the tightest that holds all tasks left, else the roomiest. */
  boolean overRacks(Gang gang, int pool, int from, int to) {
    if (gang.roles > 1) {
      return collect(gang, pool, from, to) && packed();
    }
    begin(gang, pool);
    begin();
    int firstRack = grounds.rack[from];
    int[] room = new int[grounds.rack[to - 1] - firstRack + 1];
    long total = 0;
    for (int i = 0; i < room.length; i++) {
      room[i] = collectFor(0, rackFrom(firstRack + i, from), rackTo(firstRack + i, to));
      total += room[i];
    }
    int left = gang.count[0];
    if (total < left) {
      return false;
    }
    while (left > 0) {
      int rack = tightestOrRoomiest(room, left);
      collectFor(0, rackFrom(firstRack + rack, from), rackTo(firstRack + rack, to));
      int here = Math.min(left, room[rack]);
      pack(here);
      left -= here;
      room[rack] = 0;
    }
    return true;
  }

  private int rackFrom(int rack, int from) {
    return Math.max(from, grounds.firstSlot[rack]);
  }

  private int rackTo(int rack, int to) {
    return Math.min(to, grounds.firstSlot[rack + 1]);
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

  /** Places the roles one after the other, those with the largest tasks first. */
  private boolean eachRole(boolean packed) {
    boolean fits = true;
    int placed = 0;
    for (int gpus = gang.largestTask; gpus >= 0 && fits; gpus--) {
      for (int role = 0; role < gang.roles && fits; role++) {
        if (gang.gpus[role] == gpus) {
          fits = collectFor(role, from, to) >= gang.count[role];
          if (fits && packed) {
            pack(role, gang.count[role], placed > 0);
          } else if (fits) {
            spread(role, gang.count[role], placed);
          }
          placed += gang.count[role];
        }
      }
    }
    forget();
    return fits;
  }

  private int collectFor(int role, int from, int to) {
    candidateCount = 0;
    int most = gang.count[role];
    int sum = 0;
    if (gang.isPlain) {
      return collectPlain(from, to, most);
    }
    for (int slot = from; slot < to; slot++) {
      int cap = Math.min(most, capacity(role, slot));
      if (cap > 0) {
        addCandidate(slot, cap);
        sum = Math.min(most, sum + cap);
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
      if (free >= each && grounds.pool[slot] == pool) {
        int cap = Math.min(most, each == 1 ? free : free / each);
        addCandidate(slot, cap);
        sum += cap;
      }
    }
    return Math.min(most, sum);
  }

  private int capacity(int role, int slot) {
    int each = gang.gpus[role];
    int free = occupancy.free[slot] - usedGpus[slot];
    if (each > 0 && (grounds.pool[slot] != pool || free < each)) {
      return 0;
    }
    if (!gang.allows(grounds, slot, role)) {
      return 0;
    }
    long cap = each > 0 ? free / each : Integer.MAX_VALUE;
    int node = grounds.node[slot];
    if (gang.cpu[role] > 0) {
      cap = Math.min(cap, (occupancy.freeCpu[node] - usedCpu[node]) / gang.cpu[role]);
    }
    if (gang.memory[role] > 0) {
      cap = Math.min(cap, (occupancy.freeMemory[node] - usedMemory[node]) / gang.memory[role]);
    }
    return (int) Math.max(0, cap);
  }

  private void addCandidate(int slot, int cap) {
    if (candidateCount == candidates.length) {
      candidates = Arrays.copyOf(candidates, 2 * candidateCount);
      caps = Arrays.copyOf(caps, 2 * candidateCount);
      rates = Arrays.copyOf(rates, 2 * candidateCount);
      taken = Arrays.copyOf(taken, 2 * candidateCount);
    }
    candidates[candidateCount] = slot;
    caps[candidateCount] = cap;
    int node = grounds.node[slot];
    rates[candidateCount++] =
        occupancy.neighbours.rate(gang.kind, node) + occupancy.links.hint(usesHint, node);
  }

  private void begin(Gang gang, int pool) {
    this.gang = gang;
    this.pool = pool;
    usesHint = occupancy.problem.prices()[gang.id].usesHint();
  }

  private void begin() {
    size = 0;
  }

  private void pack(int tasks) {
    pack(0, tasks, false);
  }

  private void pack(int role, int tasks, boolean beside) {
    Arrays.fill(taken, 0, candidateCount, 0);
    int left = tasks;
    while (left > 0) {
      int best = -1;
      for (int i = 0; i < candidateCount; i++) {
        if (taken[i] == 0 && (best < 0 || isBetter(i, best, left, beside))) {
          best = i;
        }
      }
      int here = Math.min(left, caps[best]);
      taken[best] = here;
      left -= here;
      take(role, candidates[best], here);
    }
  }

  private boolean isBetter(int one, int other, int left, boolean beside) {
    boolean oneHoldsAll = caps[one] >= left;
    boolean otherHoldsAll = caps[other] >= left;
    if (beside) {
      boolean oneUsed = position[candidates[one]] >= 0;
      boolean otherUsed = position[candidates[other]] >= 0;
      if (oneUsed != otherUsed) {
        return oneUsed;
      }
    }
    if (oneHoldsAll != otherHoldsAll) {
      return oneHoldsAll;
    }
    if (!oneHoldsAll && caps[one] != caps[other]) {
      return caps[one] > caps[other];
    }
    return rates[one] < rates[other] || (rates[one] == rates[other] && caps[one] < caps[other]);
  }

  private void spread(int role, int tasks, int before) {
    long hint = occupancy.problem.prices()[gang.id].pairHint();
    Arrays.fill(taken, 0, candidateCount, 0);
    for (int task = 0; task < tasks; task++) {
      int best = -1;
      long bestCost = Long.MAX_VALUE;
      for (int i = 0; i < candidateCount; i++) {
        if (taken[i] < caps[i]) {
          long cost = rates[i] + hint * (before + task - tasksOn(i));
          if (cost < bestCost) {
            best = i;
            bestCost = cost;
          }
        }
      }
      taken[best]++;
      if (gang.roles > 1) {
        take(role, candidates[best], 1);
      }
    }
    if (gang.roles == 1) {
      for (int i = 0; i < candidateCount; i++) {
        if (taken[i] > 0) {
          take(role, candidates[i], taken[i]);
        }
      }
    }
  }

  private int tasksOn(int candidate) {
    if (gang.roles == 1) {
      return taken[candidate];
    }
    int at = position[candidates[candidate]];
    int sum = 0;
    for (int role = 0; at >= 0 && role < gang.roles; role++) {
      sum += byRole[at * gang.roles + role];
    }
    return sum;
  }

  private void take(int role, int slot, int tasks) {
    if (gang.roles == 1) {
      grow();
      slots[size] = slot;
      byRole[size++] = tasks;
      return;
    }
    int at = position[slot];
    if (at < 0) {
      grow();
      at = size;
      slots[at] = slot;
      Arrays.fill(byRole, at * gang.roles, (at + 1) * gang.roles, 0);
      position[slot] = at;
      size++;
    }
    byRole[at * gang.roles + role] += tasks;
    usedGpus[slot] += tasks * gang.gpus[role];
    usedCpu[grounds.node[slot]] += tasks * gang.cpu[role];
    usedMemory[grounds.node[slot]] += tasks * gang.memory[role];
  }

  private void grow() {
    if (size == slots.length) {
      slots = Arrays.copyOf(slots, 2 * size);
    }
    if ((size + 1) * gang.roles > byRole.length) {
      byRole = Arrays.copyOf(byRole, 2 * (size + 1) * gang.roles);
    }
  }

  /** Forgets what several roles took, for the next attempt. */
  private void forget() {
    for (int i = 0; i < size; i++) {
      int slot = slots[i];
      position[slot] = -1;
      usedGpus[slot] = 0;
      usedCpu[grounds.node[slot]] = 0;
      usedMemory[grounds.node[slot]] = 0;
    }
  }
}
