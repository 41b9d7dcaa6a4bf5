package io.github.liquidscheduler.placement.search;

import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.placement.network.IncrementalCost;

/*
 * Idea: local search by three moves: one host, several to one, two hosts. Tasks to be moved wait on
 * a host that stays, even beyond its capacity, so that the gang is whole for the cost, and a try
 * ends as soon as the rest alone costs as much as before.
 * Invariants: the assignment only changes for the better, else it is undone to its mark; a move
 * must beat the cost by HELPS, so that rounding cannot loop; needs a cost that allows overfull
 * nodes.
 * Cost: LINKS links scored at most; a step tries up to HOSTS_FOR_ONE targets for each group of
 * tasks, each O(levels) to change and O(links crossed) to score. Measured in docs/performance.md.
 */
/**
 * Makes a placement cheaper by moving tasks while that helps: those of one host or two to other
 * hosts, each where it costs least; or those of several hosts to an empty one. The number of links
 * scored is limited.
 */
final class TaskMoves {

  private static final int LINKS = 8_000;
  private static final int HOSTS_FOR_ONE = 24;
  private static final int PARTNERS = 8;

  /** Up to this many targets are sorted again after each move. */
  private static final int FEW_TARGETS = 128;

  /** A move must lower the cost by more than this factor, so that rounding does not count. */
  private static final double HELPS = 1 - 1e-9;

  private final Assignment assignment;
  private final IncrementalCost cost;
  private final HostOrder order;
  private int[] targets = {};
  private int linksLeft = LINKS;
  private double lowest;

  /**
   * Makes moves from the current assignment.
   *
   * @param range the nodes that may be used
   */
  TaskMoves(Assignment assignment, IncrementalCost cost, NodeRange range) {
    this.assignment = assignment;
    this.cost = cost;
    order = new HostOrder(assignment, cost, range);
  }

  /** Moves tasks until no move helps, and returns true if any did. */
  boolean lower(double now) {
    lowest = now;
    targets = order.targets();
    boolean helped = false;
    while (linksLeft > 0 && (moveOne() || gather() || moveTwo())) {
      helped = true;
      targets = targets.length <= FEW_TARGETS ? order.targets() : targets;
    }
    return helped;
  }

  private boolean moveOne() {
    boolean helped = false;
    int[] taken = order.costliestFirst();
    for (int i = 0; i < taken.length && linksLeft > 0; i++) {
      int kept = taken[i == 0 ? taken.length - 1 : 0];
      helped |= kept != taken[i] && move(taken[i], taken[i], kept);
    }
    return helped;
  }

  private boolean moveTwo() {
    int[] taken = order.costliestFirst();
    for (int i = 0; i < taken.length; i++) {
      for (int j = i + 1; j < Math.min(taken.length, i + 1 + PARTNERS); j++) {
        if (linksLeft <= 0) {
          return false;
        }
        int kept = otherThan(i, j, taken.length);
        if (kept >= 0 && move(taken[i], taken[j], taken[kept])) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns a position that is neither {@code one} nor the later {@code other}; -1 if none. */
  private static int otherThan(int one, int other, int size) {
    if (one > 0) {
      return 0;
    }
    if (other < size - 1) {
      return size - 1;
    }
    return size > 2 ? 1 : -1;
  }

  /** Moves all tasks of one host or two, by way of another host taken, if that helps. */
  private boolean move(int one, int other, int waiting) {
    int mark = assignment.mark();
    boolean moved = true;
    for (int role = 0; role < assignment.roles() && moved; role++) {
      int count = park(one, role, waiting) + (one == other ? 0 : park(other, role, waiting));
      if (count > 0) {
        moved = score() < lowest * HELPS && assign(role, count, waiting);
      }
    }
    if (moved && isLower()) {
      return true;
    }
    assignment.undoTo(mark);
    return false;
  }

  private int park(int host, int role, int waiting) {
    int count = assignment.tasks(host, role);
    if (count > 0) {
      assignment.remove(host, role, count);
      assignment.add(waiting, role, count);
    }
    return count;
  }

  /** Assigns waiting tasks to hosts where they cost least, and returns true if all got one. */
  private boolean assign(int role, int count, int waiting) {
    int left = count;
    while (left > 0) {
      if (assignment.fitting(waiting, role) >= 0) {
        return true;
      }
      int to = best(role, left, waiting);
      if (to < 0) {
        return false;
      }
      int here = Math.min(left, assignment.fitting(to, role));
      assignment.remove(waiting, role, here);
      assignment.add(to, role, here);
      left -= here;
    }
    return true;
  }

  /** Returns the host at which a task costs least, or -1 if none holds one. */
  private int best(int role, int left, int waiting) {
    int best = -1;
    int tried = 0;
    double base = score();
    double cheapest = Double.POSITIVE_INFINITY;
    int used = assignment.usedHosts();
    for (int i = 0; i < used + targets.length && tried < HOSTS_FOR_ONE && linksLeft > 0; i++) {
      int to = i < used ? assignment.usedHost(i) : targets[i - used];
      int here = Math.min(left, assignment.fitting(to, role));
      if (to != waiting && here > 0 && (i >= used || assignment.isTaken(to))) {
        tried++;
        double added = (costOn(to, role, here, waiting) - base) / here;
        if (added < cheapest || (added == cheapest && here > assignment.fitting(best, role))) {
          cheapest = added;
          best = to;
        }
      }
    }
    return best;
  }

  private double costOn(int to, int role, int count, int waiting) {
    int mark = assignment.mark();
    assignment.remove(waiting, role, count);
    assignment.add(to, role, count);
    double there = score();
    assignment.undoTo(mark);
    return there;
  }

  /** Moves the tasks of several hosts to one that is empty, if that helps. */
  private boolean gather() {
    int tried = 0;
    for (int i = 0; i < targets.length && tried < HOSTS_FOR_ONE && linksLeft > 0; i++) {
      int to = targets[i];
      if (!assignment.isTaken(to) && assignment.fitting(to, 0) > 1) {
        tried++;
        if (gather(to)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean gather(int to) {
    int mark = assignment.mark();
    int emptied = 0;
    for (int from : order.costliestFirst()) {
      int count = assignment.tasks(from, 0);
      if (count > 0 && count <= assignment.fitting(to, 0)) {
        assignment.remove(from, 0, count);
        assignment.add(to, 0, count);
        emptied++;
      }
    }
    if (emptied > 1 && isLower()) {
      return true;
    }
    assignment.undoTo(mark);
    return false;
  }

  private boolean isLower() {
    double now = score();
    if (now >= lowest * HELPS) {
      return false;
    }
    lowest = now;
    return true;
  }

  private double score() {
    linksLeft -= cost.links();
    return cost.cost();
  }
}
