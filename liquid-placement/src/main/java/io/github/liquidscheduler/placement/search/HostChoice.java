package io.github.liquidscheduler.placement.search;

import io.github.liquidscheduler.placement.gang.GangShape;
import io.github.liquidscheduler.placement.gang.TaskShape;
import io.github.liquidscheduler.placement.search.DomainParts.Part;
import org.jspecify.annotations.Nullable;

/**
 * Chooses hosts for a whole gang in a domain: fast enough ones, with the least contention. Works
 * down the tree: of the parts of a domain those with the least contention per GPU are taken first;
 * once one part holds the rest, the one with the least contention for it is taken. So a gang
 * crosses few uplinks, and its last node has little capacity to spare.
 */
final class HostChoice {

  private final FeasibleNodes feasible;
  private final int need;
  private final int[] capacity;
  private final int[] chosen;
  private final DomainParts[] parts;
  private int chosenSize;
  private int looked;
  private int first;
  private int end;
  private double slowest;
  private int hash = 1;

  HostChoice(GangShape gang, Assignment assignment) {
    feasible = assignment.feasible();
    capacity = new int[feasible.size()];
    chosen = new int[feasible.size()];
    int total = 0;
    for (int role = 0; role < assignment.roles(); role++) {
      TaskShape task = assignment.shape(role);
      int unit = gang.wholeGpus() > 0 ? task.gpus() : 1;
      total += task.role().count() * unit;
      for (int host = 0; host < capacity.length; host++) {
        int tasks = Math.min(assignment.fitting(host, role), task.role().count());
        capacity[host] = Math.max(capacity[host], tasks * unit);
      }
    }
    need = total;
    parts = new DomainParts[depth() + 1];
    for (int level = 0; level < parts.length; level++) {
      parts[level] = new DomainParts(feasible, capacity, need);
    }
  }

  private int depth() {
    int depth = 0;
    for (int host = 0; host < feasible.size(); host++) {
      while (feasible.domain(host, depth) >= 0) {
        depth++;
      }
    }
    return depth;
  }

  /** Returns the capacity that the gang needs: its GPUs, or its tasks if none has GPUs. */
  int need() {
    return need;
  }

  /** Returns the capacity of the host, in the unit of {@link #need}. */
  int capacity(int host) {
    return capacity[host];
  }

  /** Returns the number of hosts looked at by all calls. */
  int looked() {
    return looked;
  }

  /**
   * Chooses hosts for the gang.
   *
   * @param first the first host that may be used
   * @param end the host after the last that may be used
   * @param slowest the slowest transfer seconds of a link that may be used
   * @return true if they differ from those chosen last
   */
  boolean choose(int first, int end, double slowest) {
    int level = 0;
    while (feasible.domain(first, level) >= 0
        && feasible.domain(first, level) == feasible.domain(end - 1, level)) {
      level++;
    }
    return choose(first, end, slowest, level);
  }

  /** Chooses hosts for the gang as if there were no uplinks; otherwise as {@link #choose}. */
  boolean chooseScattered(int first, int end, double slowest) {
    return choose(first, end, slowest, parts.length - 1);
  }

  private boolean choose(int first, int end, double slowest, int level) {
    this.first = first;
    this.end = end;
    this.slowest = slowest;
    int before = hash;
    chosenSize = 0;
    choose(first, end, level, need);
    hash = 1;
    for (int i = 0; i < chosenSize; i++) {
      hash = 31 * hash + chosen[i];
    }
    return before != hash;
  }

  private int choose(int first, int end, int level, int needed) {
    DomainParts here = parts[level];
    here.list(first, end, level, slowest);
    looked += end - first;
    int left = needed;
    int next = 0;
    while (left > 0 && next < here.size()) {
      @Nullable Part cheapest = here.cheapestFor(left);
      Part part = cheapest == null ? here.inOrder(next++) : cheapest;
      if (!part.isTaken) {
        part.isTaken = true;
        left -= take(part, level, left);
      }
    }
    return needed - left;
  }

  private int take(Part part, int level, int left) {
    if (!part.isHost) {
      return choose(part.first, part.end, level + 1, Math.min(left, part.capacity));
    }
    chosen[chosenSize++] = part.first;
    return capacity[part.first];
  }

  /** Returns the number of hosts chosen. */
  int size() {
    return chosenSize;
  }

  /** Returns one of the hosts chosen, in order of choice. */
  int chosen(int number) {
    return chosen[number];
  }

  /** Returns the first host that might be chosen. */
  int first() {
    return first;
  }

  /** Returns the host after the last that might be chosen. */
  int end() {
    return end;
  }

  /** Returns the fast enough hosts with capacity, by least contention. */
  int[] leastContentionFirst() {
    long[] keys = new long[end - first];
    int size = 0;
    for (int host = first; host < end; host++) {
      if (capacity[host] > 0 && feasible.transferSeconds(host) <= slowest) {
        keys[size++] = FeasibleNodes.key(feasible.contention(host), host);
      }
    }
    looked += end - first;
    return FeasibleNodes.sorted(keys, size);
  }
}
