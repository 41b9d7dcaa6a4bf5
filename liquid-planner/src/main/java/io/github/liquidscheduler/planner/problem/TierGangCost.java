package io.github.liquidscheduler.planner.problem;

import io.github.liquidscheduler.placement.network.RolePair;
import java.util.Arrays;

/**
 * The cost of pairs of tasks by how far apart they are. Of T tasks, r on each rack and t on each
 * node, (T² - Σr²) / 2 pairs are on different racks and (Σr² - Σt²) / 2 on different nodes of a
 * rack; for pairs of a server and a worker likewise with products.
 */
final class TierGangCost implements GangNetworkCost {

  /** What a pair on different nodes of a rack costs. */
  static final int SAME_RACK = 1;

  /** What a pair on different racks costs. */
  static final int FAR = 3;

  private final SlotTable slotTable;
  private final long traffic;
  private final int roles;
  private final RolePair pair;
  private long[] rackServers = new long[8];
  private long[] rackWorkers = new long[8];
  private int[] racks = new int[8];

  /**
   * Makes the cost of a gang.
   *
   * @param pair the roles of servers and workers whose pairs count; none if all pairs do
   */
  TierGangCost(SlotTable slotTable, long traffic, int roles, RolePair pair) {
    this.slotTable = slotTable;
    this.traffic = traffic;
    this.roles = roles;
    this.pair = pair;
  }

  @Override
  public long of(int[] slots, int[] byRole, int size) {
    if (size == 1) {
      return 0;
    }
    long allServers = 0;
    long allWorkers = 0;
    long onNodes = 0;
    int used = 0;
    for (int i = 0; i < size; i++) {
      long servers = tasks(byRole, i, pair.server());
      long workers = tasks(byRole, i, pair.worker());
      allServers += servers;
      allWorkers += workers;
      onNodes += servers * workers;
      used = addToRack(slotTable.rack[slots[i]], servers, workers, used);
    }
    long onRacks = 0;
    for (int i = 0; i < used; i++) {
      onRacks += rackServers[i] * rackWorkers[i];
    }
    long far = allServers * allWorkers - onRacks;
    long near = onRacks - onNodes;
    return traffic * (far * FAR + near * SAME_RACK) / (allPairsCount() ? 2 : 1);
  }

  @Override
  public long pairHint() {
    return traffic * SAME_RACK;
  }

  @Override
  public long leastPair() {
    return allPairsCount() ? traffic * SAME_RACK : 0;
  }

  @Override
  public long leastFarther() {
    return allPairsCount() ? traffic * (FAR - SAME_RACK) : 0;
  }

  private int addToRack(int rack, long servers, long workers, int used) {
    int at = used - 1;
    while (at >= 0 && racks[at] != rack) {
      at--;
    }
    if (at >= 0) {
      rackServers[at] += servers;
      rackWorkers[at] += workers;
      return used;
    }
    if (used == racks.length) {
      racks = Arrays.copyOf(racks, 2 * used);
      rackServers = Arrays.copyOf(rackServers, 2 * used);
      rackWorkers = Arrays.copyOf(rackWorkers, 2 * used);
    }
    racks[used] = rack;
    rackServers[used] = servers;
    rackWorkers[used] = workers;
    return used + 1;
  }

  private boolean allPairsCount() {
    return pair.server() < 0;
  }

  /** Returns the tasks of a role on a slot; of all roles if all pairs count. */
  private long tasks(int[] byRole, int at, int role) {
    if (!allPairsCount()) {
      return byRole[at * roles + role];
    }
    long sum = 0;
    for (int each = 0; each < roles; each++) {
      sum += byRole[at * roles + each];
    }
    return sum;
  }
}
