package io.github.liquidscheduler.placement.search;

import io.github.liquidscheduler.placement.gang.GangShape;
import io.github.liquidscheduler.placement.gang.TaskShape;
import java.util.List;

/** Assigns the tasks of a gang to the hosts chosen for it, in one of several ways. */
record DomainFill(GangShape gang, Assignment assignment, HostChoice hosts) {

  /**
   * Assigns role by role, hardest first, to the hosts chosen, then to any host of the domain.
   * Returns true if the gang fits; none of it was assigned before.
   */
  boolean assignByRole() {
    for (TaskShape task : gang.tasks()) {
      int role = gang.roleOf(task);
      int left = task.role().count();
      for (int i = 0; i < hosts.size() && left > 0; i++) {
        left -= assign(hosts.chosen(i), role, left);
      }
      for (int host = hosts.first(); host < hosts.end() && left > 0; host++) {
        left -= assign(host, role, left);
      }
      if (left > 0) {
        return false;
      }
    }
    return true;
  }

  private int assign(int host, int role, int most) {
    int count = Math.min(most, assignment.fitting(host, role));
    if (count > 0) {
      assignment.add(host, role, count);
    }
    return count;
  }

  /**
   * Assigns as many tasks of each role as it holds to the first host chosen, and the others to a
   * host each, by least contention. Returns as {@link #assignByRole}.
   */
  boolean assignBesideFirst() {
    return hosts.size() > 0 && assignOneEach(hosts.chosen(0));
  }

  /** Assigns each task to a host of its own if there are enough; as {@link #assignByRole}. */
  boolean assignOneEach() {
    return assignOneEach(-1);
  }

  private boolean assignOneEach(int filled) {
    int[] order = hosts.leastContentionFirst();
    int next = 0;
    for (TaskShape task : gang.tasks()) {
      int role = gang.roleOf(task);
      int left = task.role().count();
      left -= filled < 0 ? 0 : assign(filled, role, left);
      for (int full = 0; left > 0 && full < order.length; next = (next + 1) % order.length) {
        int here = order[next] == filled ? 0 : assign(order[next], role, 1);
        left -= here;
        full = here > 0 ? 0 : full + 1;
      }
      if (left > 0) {
        return false;
      }
    }
    return true;
  }

  /** Assigns servers and workers in turn, so that they meet; as {@link #assignByRole}. */
  boolean assignInTurn() {
    List<TaskShape> sequence = gang.interleaved();
    int next = 0;
    for (int i = 0; i < hosts.size() && next < sequence.size(); i++) {
      while (next < sequence.size()
          && assign(hosts.chosen(i), gang.roleOf(sequence.get(next)), 1) == 1) {
        next++;
      }
    }
    return next == sequence.size();
  }
}
