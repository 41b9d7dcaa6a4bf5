package io.github.liquidscheduler.placement.domains;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A domain while a group is placed: how much it can take, and how much it was given. Mutable. */
final class DomainCapacity {

  /** More slices first, of equal ones fewer tasks, then by name. */
  static final Comparator<DomainCapacity> LARGEST_FIRST =
      Comparator.<DomainCapacity>comparingInt(room -> room.slices)
          .reversed()
          .thenComparingInt(room -> room.tasks)
          .thenComparing(room -> room.path, DomainCapacity::comparePaths);

  /** Fewer slices first, of equal ones fewer tasks, then by name. */
  static final Comparator<DomainCapacity> SMALLEST_FIRST =
      Comparator.<DomainCapacity>comparingInt(room -> room.slices)
          .thenComparingInt(room -> room.tasks)
          .thenComparing(room -> room.path, DomainCapacity::comparePaths);

  final List<String> path;
  final List<DomainCapacity> children = new ArrayList<>();
  final List<NodeCapacity> nodes = new ArrayList<>();

  int tasks;
  int slices;

  /** Whether the leader fits; so many tasks and slices then fit beside it. */
  boolean takesLeader;

  int tasksWithLeader;
  int slicesWithLeader;

  /** How much of the group goes here: slices down to the level of these, tasks below. */
  int given;

  boolean leads;

  DomainCapacity(List<String> path) {
    this.path = path;
  }

  int level() {
    return path.size() - 1;
  }

  /** Takes note that nothing fits. */
  void clear() {
    tasks = 0;
    slices = 0;
    clearLeader();
    children.forEach(DomainCapacity::clear);
  }

  /** Takes note that the leader does not fit. */
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
