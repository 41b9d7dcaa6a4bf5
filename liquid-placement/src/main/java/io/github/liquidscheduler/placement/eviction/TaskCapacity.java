package io.github.liquidscheduler.placement.eviction;

import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.PrimitiveIterator;

/**
 * How many tasks of each role every node would have room for if some running jobs had left, and
 * every domain of the required level, kept up to date as they leave and come back. Where it is too
 * small the job cannot fit, which is far cheaper to find out than by placing it.
 */
final class TaskCapacity {

  private final CapacityIndex index;
  private final List<RoleCapacity> roles;
  private final NodeSet.Amounts left;
  // What is free on a node is read once, before the first that was added has freed any of it.
  private final BitSet known = new BitSet();
  private final int[][] free;
  private final long[] freeCpu;
  private final long[] freeMemory;
  // Of the GPUs of nodes where shares are left, read before the first of them is free.
  private final BitSet withShares = new BitSet();
  private int[] freeShares = {};
  private final RoleCapacity.FreeShares freeOfGpu = this::freeShare;
  private final int[][] fitting;
  private final int[] domainOf;
  private final long[][] tasks;
  private int domainsThatHold;
  private final BitSet changed = new BitSet();

  /**
   * Counts what is free now and what some have left. What those who leave later give back to the
   * index is not counted again.
   *
   * @param domains all nodes; all tasks must go in one of them
   * @param candidates the nodes on which a task might go now
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

  /** Returns whether the job may fit once all have left who were added. */
  boolean mayHold() {
    return domainsThatHold > 0;
  }

  /** Has a job leave. */
  void add(NodeSet held) {
    change(held, 1);
  }

  /** Has a job that was added be there again. */
  void remove(NodeSet held) {
    change(held, -1);
  }

  /** Has all be there again who were added. */
  void clear() {
    left.clear(changed, index.topology());
    changed.stream().forEach(this::count);
    changed.clear();
  }

  /** Returns whether any task could go to a node where a job is that was added. */
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

  /** Returns whether some role may go on a node. */
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
