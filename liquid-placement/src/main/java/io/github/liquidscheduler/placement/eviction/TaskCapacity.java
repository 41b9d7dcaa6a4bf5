package io.github.liquidscheduler.placement.eviction;

import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.PrimitiveIterator;

/*
 * Idea: fitting tasks per role and node, their sums per role and domain, and the number of domains
 * whose sums suffice, so that "may the job fit" is one comparison after each victim.
 * Invariants: tasks[role][domain] is the sum of fitting[role][node] over its nodes; domainsThatHold
 * counts the domains with enough tasks of every role; what is free is read before any victim is
 * suspended, so nothing counts twice. An upper bound for every placer (EvictionSearchLaws).
 * Cost: O(nodes x roles) arrays to begin, O(nodes of the victim x roles) to add or remove one, plus
 * the GPUs of nodes with shares; mayHold O(1).
 */
/**
 * The number of tasks of each role that every node, and every domain of the required level, would
 * hold without some victims, updated as victims are added and removed. If it is too small the job
 * cannot fit, which costs far less than placing it.
 */
final class TaskCapacity {

  private final CapacityIndex index;
  private final List<RoleCapacity> roles;
  private final NodeSet.Amounts left;
  // The free amounts of a node are read once, before a victim has released any of them.
  private final BitSet known = new BitSet();
  private final int[][] free;
  private final long[] freeCpu;
  private final long[] freeMemory;
  // The free shares of GPUs on nodes where victims hold shares, read before their release.
  private final BitSet withShares = new BitSet();
  private int[] freeShares = {};
  private final RoleCapacity.FreeShares freeOfGpu = this::freeShare;
  private final int[][] fitting;
  private final int[] domainOf;
  private final long[][] tasks;
  private int domainsThatHold;
  private final BitSet changed = new BitSet();

  /**
   * Counts the free amounts and those of victims. What victims later release in the index is not
   * counted again.
   *
   * @param domains the domains, which cover all nodes; one must hold all tasks
   * @param candidates the nodes that may hold a task now
   */
  TaskCapacity(
      CapacityIndex index,
      List<RoleCapacity> roles,
      List<NodeRange> domains,
      NodeSet.Amounts left,
      PrimitiveIterator.OfInt candidates) {
    this.index = index;
    this.roles = roles;
    this.left = left;
    int nodes = index.topology().nodes().size();
    domainOf = new int[nodes];
    for (int domain = 1; domain < domains.size(); domain++) {
      Arrays.fill(domainOf, domains.get(domain).first(), domains.get(domain).end(), domain);
    }
    freeCpu = new long[nodes];
    freeMemory = new long[nodes];
    free = new int[roles.size()][nodes];
    fitting = new int[roles.size()][nodes];
    tasks = new long[roles.size()][domains.size()];
    for (int domain = 0; domain < domains.size(); domain++) {
      domainsThatHold += holds(domain) ? 1 : 0;
    }
    while (candidates.hasNext()) {
      int node = candidates.nextInt();
      read(node);
      count(node);
    }
  }

  private void read(int node) {
    known.set(node);
    freeCpu[node] = index.freeCpu(node);
    freeMemory[node] = index.freeMemory(node);
    for (int role = 0; role < free.length; role++) {
      free[role][node] = roles.get(role).free(node);
    }
  }

  /** Returns true if the job may fit without the victims added. */
  boolean mayHold() {
    return domainsThatHold > 0;
  }

  /** Adds a victim. */
  void add(NodeSet held) {
    change(held, 1);
  }

  /** Removes a victim. */
  void remove(NodeSet held) {
    change(held, -1);
  }

  /** Removes all victims. */
  void clear() {
    left.clear(changed, index.topology());
    changed.stream().forEach(this::count);
    changed.clear();
  }

  /** Returns true if a task could go to a node of a victim. */
  boolean isUsedBy(NodeSet held) {
    for (int i = 0; i < held.size(); i++) {
      if (isUsed(held.node(i))) {
        return true;
      }
    }
    return false;
  }

  private boolean isUsed(int node) {
    for (int[] ofRole : fitting) {
      if (ofRole[node] > 0) {
        return holds(domainOf[node]);
      }
    }
    return false;
  }

  private void change(NodeSet held, int sign) {
    held.addSharesTo(left, sign);
    for (int i = 0; i < held.size(); i++) {
      int node = held.node(i);
      if (!known.get(node)) {
        read(node);
      }
      changed.set(node);
      if (isAllowed(node)) {
        held.addTo(left, i, sign);
        count(node);
      }
    }
  }

  private void count(int node) {
    for (int role = 0; role < fitting.length; role++) {
      set(role, node, fitting(role, node));
    }
  }

  /** Returns true if some role may go on a node. */
  private boolean isAllowed(int node) {
    for (int[] ofRole : free) {
      if (ofRole[node] != RoleCapacity.NOT_ALLOWED) {
        return true;
      }
    }
    return false;
  }

  private void set(int role, int node, int fits) {
    int more = fits - fitting[role][node];
    if (more != 0) {
      int domain = domainOf[node];
      domainsThatHold -= holds(domain) ? 1 : 0;
      tasks[role][domain] += more;
      fitting[role][node] = fits;
      domainsThatHold += holds(domain) ? 1 : 0;
    }
  }

  private boolean holds(int domain) {
    for (int role = 0; role < tasks.length; role++) {
      if (tasks[role][domain] < roles.get(role).count()) {
        return false;
      }
    }
    return true;
  }

  private int fitting(int role, int node) {
    if (free[role][node] == RoleCapacity.NOT_ALLOWED) {
      return 0;
    }
    if (left.share(node) > 0 && !withShares.get(node)) {
      readFreeShares(node);
    }
    return roles
        .get(role)
        .fitting(node, free[role][node], freeOfGpu, freeCpu[node], freeMemory[node], left);
  }

  private void readFreeShares(int node) {
    int first = index.topology().gpusBefore(node);
    freeShares = freeShares.length == 0 ? new int[index.topology().gpuCount()] : freeShares;
    for (int gpu = 0; gpu < index.gpus(node); gpu++) {
      freeShares[first + gpu] = index.freeShare(node, gpu);
    }
    withShares.set(node);
  }

  private int freeShare(int node, int gpu) {
    return freeShares[index.topology().gpusBefore(node) + gpu];
  }
}
