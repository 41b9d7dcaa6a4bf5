package io.github.liquidscheduler.planner.problem;

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
  private final int server;
  private final int worker;
  private long[] rackServers = new long[8];
  private long[] rackWorkers = new long[8];
  private int[] racks = new int[8];

  /**
   * Makes the cost of a gang.
   *
   * @param server the role of the parameter servers, or -1 if all pairs count
   * @param worker the role of the workers, or -1
   */
  TierGangCost(SlotTable slotTable, long traffic, int roles, int server, int worker) {
    this.slotTable = slotTable;
    this.traffic = traffic;
    this.roles = roles;
    this.server = server;
    this.worker = worker;
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
      long servers = servers(byRole, i);
      long workers = workers(byRole, i);
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
    return traffic * (far * FAR + near * SAME_RACK) / (server < 0 ? 2 : 1);
  }

  @Override
  public long pairHint() {
    return traffic * SAME_RACK;
  }

  @Override
  public long leastPair() {
    return server < 0 ? traffic * SAME_RACK : 0;
  }

  @Override
  public long leastFarther() {
    return server < 0 ? traffic * (FAR - SAME_RACK) : 0;
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

  private long servers(int[] byRole, int at) {
    return server < 0 ? sum(byRole, at) : byRole[at * roles + server];
  }

  private long workers(int[] byRole, int at) {
    return server < 0 ? sum(byRole, at) : byRole[at * roles + worker];
  }

  private long sum(int[] byRole, int at) {
    long sum = 0;
    for (int role = 0; role < roles; role++) {
      sum += byRole[at * roles + role];
    }
    return sum;
  }
}
