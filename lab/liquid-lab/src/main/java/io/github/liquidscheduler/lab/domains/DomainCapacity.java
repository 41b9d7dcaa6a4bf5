package io.github.liquidscheduler.lab.domains;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A domain while a group is placed: the tasks it holds, and those it was given. Mutable. */
final class DomainCapacity {

  /** More slices first, of equal ones fewer tasks, then by name. */
  static final Comparator<DomainCapacity> LARGEST_FIRST =
      Comparator.<DomainCapacity>comparingInt(domain -> domain.slices)
          .reversed()
          .thenComparingInt(domain -> domain.tasks)
          .thenComparing(domain -> domain.path, DomainCapacity::comparePaths);

  /** Fewer slices first, of equal ones fewer tasks, then by name. */
  static final Comparator<DomainCapacity> SMALLEST_FIRST =
      Comparator.<DomainCapacity>comparingInt(domain -> domain.slices)
          .thenComparingInt(domain -> domain.tasks)
          .thenComparing(domain -> domain.path, DomainCapacity::comparePaths);

  final List<String> path;
  final List<DomainCapacity> children = new ArrayList<>();
  final List<NodeCapacity> nodes = new ArrayList<>();

  int tasks;
  int slices;

  /** Whether the leader fits; the next two count the tasks and slices beside it. */
  boolean takesLeader;

  int tasksWithLeader;
  int slicesWithLeader;

  /** The part of the group given to it: slices down to their level, tasks below. */
  int given;

  boolean leads;

  DomainCapacity(List<String> path) {
    this.path = path;
  }

  int level() {
    return path.size() - 1;
  }

  /** Sets all counts to zero. */
  void clear() {
    tasks = 0;
    slices = 0;
    clearLeader();
    children.forEach(DomainCapacity::clear);
  }

  /** Notes that the leader does not fit. */
  void clearLeader() {
    takesLeader = false;
    tasksWithLeader = 0;
    slicesWithLeader = 0;
    children.forEach(DomainCapacity::clearLeader);
  }

  /** Returns a copy of this and all below. */
  DomainCapacity copy() {
    DomainCapacity copy = new DomainCapacity(path);
    copy.tasks = tasks;
    copy.slices = slices;
    copy.takesLeader = takesLeader;
    copy.tasksWithLeader = tasksWithLeader;
    copy.slicesWithLeader = slicesWithLeader;
    children.forEach(child -> copy.children.add(child.copy()));
    return copy;
  }

  static int comparePaths(List<String> some, List<String> others) {
    for (int level = 0; level < Math.min(some.size(), others.size()); level++) {
      int order = some.get(level).compareTo(others.get(level));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(some.size(), others.size());
  }
}
