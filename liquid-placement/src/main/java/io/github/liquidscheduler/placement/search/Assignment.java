package io.github.liquidscheduler.placement.search;

import io.github.liquidscheduler.placement.gang.GangShape;
import io.github.liquidscheduler.placement.gang.PartialAssignment;
import io.github.liquidscheduler.placement.gang.Picks;
import io.github.liquidscheduler.placement.gang.TaskShape;
import io.github.liquidscheduler.placement.network.IncrementalCost;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** The tasks of a gang on each host, the capacity left there, and their cost. */
final class Assignment {

  private final FeasibleNodes feasible;
  private final IncrementalCost cost;
  private final TaskShape[] shapes;
  private final boolean[] isAllowed;
  private final PartialAssignment partial;
  private int[] changes = new int[48];
  private int changesSize;

  Assignment(GangShape gang, FeasibleNodes feasible, IncrementalCost cost) {
    this.feasible = feasible;
    this.cost = cost;
    shapes = gang.byRole();
    isAllowed = new boolean[feasible.size() * shapes.length];
    for (int host = 0; host < feasible.size(); host++) {
      allow(gang, host);
    }
    partial = new PartialAssignment(IntStream.range(0, feasible.size()).toArray());
    partial.begin(shapes);
  }

  /** Notes the roles that may use the GPUs of the host, mostly those of the host before. */
  private void allow(GangShape gang, int host) {
    boolean isLikeBefore =
        gang.allowsRolesAlike() && host > 0 && feasible.pool(host).equals(feasible.pool(host - 1));
    for (int role = 0; role < shapes.length; role++) {
      isAllowed[host * shapes.length + role] =
          isLikeBefore
              ? isAllowed[(host - 1) * shapes.length + role]
              : gang.allows(shapes[role], feasible.pool(host))
                  && gang.allows(shapes[role], feasible.node(host));
    }
  }

  FeasibleNodes feasible() {
    return feasible;
  }

  int roles() {
    return shapes.length;
  }

  TaskShape shape(int role) {
    return shapes[role];
  }

  /**
   * Returns the number of further tasks of the role that fit on the host; negative if it holds too
   * many.
   */
  int fitting(int host, int role) {
    return isAllowed[host * shapes.length + role]
        ? partial.fitting(
            host, role, feasible.gpus(host), feasible.cpu(host), feasible.memory(host))
        : -tasks(host, role);
  }

  /** Returns the number of tasks of the role on the host. */
  int tasks(int host, int role) {
    return partial.tasks(host, role);
  }

  /** Adds tasks to a host, even if they do not fit for now. */
  void add(int host, int role, int count) {
    log(host, role, count);
    apply(host, role, count);
  }

  /** Removes tasks from a host that has them. */
  void remove(int host, int role, int count) {
    add(host, role, -count);
  }

  private void apply(int host, int role, int count) {
    partial.add(host, role, count);
    if (count > 0) {
      cost.add(feasible.node(host), role, count);
    } else {
      cost.remove(feasible.node(host), role, -count);
    }
  }

  private void log(int host, int role, int count) {
    if (changesSize == changes.length) {
      changes = Arrays.copyOf(changes, 2 * changesSize);
    }
    changes[changesSize++] = host;
    changes[changesSize++] = role;
    changes[changesSize++] = count;
  }

  /** Returns a mark before the next change, for {@link #undoTo}. */
  int mark() {
    return changesSize;
  }

  /** Undoes the changes since a mark. */
  void undoTo(int mark) {
    while (changesSize > mark) {
      changesSize -= 3;
      apply(changes[changesSize], changes[changesSize + 1], -changes[changesSize + 2]);
    }
  }

  /** Returns the number of hosts used since all were empty; some may be empty again. */
  int usedHosts() {
    return partial.size();
  }

  /** Returns one of the hosts that were used. */
  int usedHost(int number) {
    return partial.slots()[number];
  }

  /** Returns true if any task runs on the host. */
  boolean isTaken(int host) {
    return partial.tasks(host) > 0;
  }

  void clear() {
    partial.begin(shapes);
    changesSize = 0;
    cost.clear();
  }

  /** Returns the assignment, for {@link #restore}: host, role and number of tasks, in turn. */
  int[] save() {
    int[] saved = new int[3 * usedHosts() * shapes.length];
    int size = 0;
    for (int i = 0; i < usedHosts(); i++) {
      for (int role = 0; role < shapes.length; role++) {
        if (tasks(usedHost(i), role) > 0) {
          saved[size++] = usedHost(i);
          saved[size++] = role;
          saved[size++] = tasks(usedHost(i), role);
        }
      }
    }
    return Arrays.copyOf(saved, size);
  }

  void restore(int[] saved) {
    clear();
    for (int i = 0; i < saved.length; i += 3) {
      add(saved[i], saved[i + 1], saved[i + 2]);
    }
  }

  /** Returns the picks of a saved assignment, without GPUs. */
  List<Picks.Pick> picks(int[] saved) {
    List<Picks.Pick> picks = new ArrayList<>(saved.length / 3);
    for (int i = 0; i < saved.length; i += 3) {
      int host = saved[i];
      TaskShape shape = shapes[saved[i + 1]];
      picks.add(
          new Picks.Pick(
              shape, feasible.pool(host), feasible.node(host), saved[i + 2], new int[0]));
    }
    return picks;
  }
}
