package io.github.liquidscheduler.placement.search;

import io.github.liquidscheduler.cluster.NodeRange;

/**
 * Makes a placement cheaper by moving the tasks of one role from a host to another that holds them,
 * until no move helps or the limit of candidates is reached. All candidates are whole and fit.
 */
final class RoleMoves {

  private static final int CANDIDATES = 4_000;

  private final Assignment assignment;
  private final LowestCost lowest;
  private final int[] targets;
  private int left = CANDIDATES;

  /** Makes moves from the current assignment to nodes of the range. */
  RoleMoves(Assignment assignment, LowestCost lowest, NodeRange range) {
    this.assignment = assignment;
    this.lowest = lowest;
    FeasibleNodes feasible = assignment.feasible();
    targets =
        FeasibleNodes.sortedBy(
            feasible.firstHost(range), feasible.endHost(range), feasible::contention);
  }

  /** Moves tasks until no move helps, and returns true if any did. */
  boolean lower() {
    boolean helped = false;
    while (moveAny()) {
      helped = true;
    }
    return helped;
  }

  private boolean moveAny() {
    for (int i = 0; i < assignment.usedHosts(); i++) {
      for (int role = 0; role < assignment.roles(); role++) {
        for (int to : targets) {
          if (left > 0 && isCheaperMoved(assignment.usedHost(i), role, to)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private boolean isCheaperMoved(int from, int role, int to) {
    int count = Math.min(assignment.tasks(from, role), assignment.fitting(to, role));
    if (from == to || count <= 0) {
      return false;
    }
    int mark = assignment.mark();
    assignment.remove(from, role, count);
    assignment.add(to, role, count);
    left--;
    if (lowest.isLoweredNow()) {
      return true;
    }
    assignment.undoTo(mark);
    return false;
  }
}
