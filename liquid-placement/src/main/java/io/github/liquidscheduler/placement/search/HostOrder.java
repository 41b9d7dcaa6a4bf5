package io.github.liquidscheduler.placement.search;

import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.placement.network.IncrementalCost;

/** The order in which moves of tasks try hosts, as targets and as sources. */
final class HostOrder {

  private final Assignment assignment;
  private final FeasibleNodes feasible;
  private final IncrementalCost cost;
  private final int first;
  private final int end;

  /**
   * Makes the order beside the assignment at the time of each call.
   *
   * @param range the nodes that may be targets
   */
  HostOrder(Assignment assignment, IncrementalCost cost, NodeRange range) {
    this.assignment = assignment;
    this.cost = cost;
    feasible = assignment.feasible();
    first = feasible.firstHost(range);
    end = feasible.endHost(range);
  }

  /** Returns the target hosts, likely cheap ones first. */
  int[] targets() {
    boolean[] isUsed = domainsUsed();
    double slowest = slowest();
    double costNow = cost.costAt(slowest);
    return FeasibleNodes.sortedBy(first, end, host -> addedCost(host, isUsed, slowest, costNow));
  }

  /** Returns true for each domain that holds a part of the gang. */
  private boolean[] domainsUsed() {
    boolean[] isUsed = new boolean[feasible.domains()];
    for (int i = 0; i < assignment.usedHosts(); i++) {
      int host = assignment.usedHost(i);
      for (int level = 0; assignment.isTaken(host) && feasible.domain(host, level) >= 0; level++) {
        isUsed[feasible.domain(host, level)] = true;
      }
    }
    return isUsed;
  }

  /** Returns the approximate cost added by a host and the unused uplinks to it. */
  private double addedCost(int host, boolean[] isUsed, double slowest, double costNow) {
    double contention = feasible.contention(host);
    double transferSeconds = feasible.transferSeconds(host);
    for (int level = 0; feasible.domain(host, level) >= 0; level++) {
      int domain = feasible.domain(host, level);
      if (!isUsed[domain]) {
        contention += feasible.uplinkContention(domain);
        transferSeconds = Math.max(transferSeconds, feasible.uplinkTransferSeconds(domain));
      }
    }
    return transferSeconds > slowest
        ? contention + Math.max(0, cost.costAt(transferSeconds) - costNow)
        : contention;
  }

  /** Returns the hosts taken, those with the most contention or the slowest first. */
  int[] costliestFirst() {
    double slowest = slowest();
    long[] keys = new long[assignment.usedHosts()];
    int size = 0;
    for (int i = 0; i < keys.length; i++) {
      int host = assignment.usedHost(i);
      if (assignment.isTaken(host)) {
        float cost = (float) feasible.contention(host);
        cost += feasible.transferSeconds(host) == slowest ? 1 : 0;
        keys[size++] = FeasibleNodes.key(-cost, host);
      }
    }
    return FeasibleNodes.sorted(keys, size);
  }

  private double slowest() {
    double slowest = 0;
    for (int i = 0; i < assignment.usedHosts(); i++) {
      int host = assignment.usedHost(i);
      slowest =
          assignment.isTaken(host) ? Math.max(slowest, feasible.transferSeconds(host)) : slowest;
    }
    return slowest;
  }
}
