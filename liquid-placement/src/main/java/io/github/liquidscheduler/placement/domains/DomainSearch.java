package io.github.liquidscheduler.placement.domains;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Finds the domains of a group. First how much each domain can take is counted upwards; then a
 * level is chosen, and one domain of it, or several; from there down to the narrowest level the
 * group is divided among the parts of what was chosen. (Kueue's topology-aware scheduling.)
 *
 * <p>O(n log n) for n domains, and O(n) for each domain that is chosen.
 */
final class DomainSearch {

  /**
   * Domains that were given slices.
   *
   * @param rooms the domains, all of one level
   * @param fixed whether each keeps what it was given; else it may still move among their parts
   */
  record Chosen(List<DomainCapacity> rooms, boolean fixed) {}

  private final CapacityTree tree;
  private final TaskGroup group;
  private final DomainRule rule;
  private final int level;
  private final int slices;
  private final CapacityFill bySlices;
  private final Comparator<DomainCapacity> order;

  DomainSearch(List<String> names, List<NodeCapacity> nodes, TaskGroup group, DomainRule rule) {
    tree = new CapacityTree(names, nodes, group, rule);
    this.group = group;
    this.rule = rule;
    level = rule.level().map(name -> CapacityTree.index(names, name)).orElse(0);
    slices = group.tasks() / tree.sliceSize();
    boolean leastFree = rule.reach() == DomainRule.Reach.UNCONSTRAINED;
    order = leastFree ? DomainCapacity.SMALLEST_FIRST : DomainCapacity.LARGEST_FIRST;
    bySlices = new CapacityFill(order, 0);
  }

  /** Returns where the group goes, if it fits. */
  Optional<DomainAssignment> find() {
    if (group.tasks() % tree.sliceSize() != 0) {
      return Optional.empty();
    }
    Optional<Chosen> chosen = Optional.empty();
    if (rule.balanced() && rule.reach() == DomainRule.Reach.PREFERRED) {
      chosen = new BalancedSearch(tree, level, slices, group.leader().isPresent()).choose();
    }
    return chosen.or(this::choose).flatMap(this::descend);
  }

  private Optional<Chosen> choose() {
    return switch (rule.reach()) {
      case REQUIRED -> single(level);
      case PREFERRED -> singleFrom(level).or(() -> several(0));
      case UNCONSTRAINED -> {
        int narrowest = Math.min(tree.lowest(), tree.sliceLevel());
        yield single(narrowest).or(() -> several(narrowest));
      }
      case SLICES_ONLY -> single(0).or(() -> several(0));
    };
  }

  private Optional<Chosen> singleFrom(int narrowest) {
    Optional<Chosen> chosen = Optional.empty();
    for (int at = narrowest; at >= 0 && chosen.isEmpty(); at--) {
      chosen = single(at);
    }
    return chosen;
  }

  /** Returns the domain of a level that holds all and has the least room. */
  private Optional<Chosen> single(int at) {
    Optional<DomainCapacity> least =
        tree.level(at).stream()
            .filter(room -> room.takesLeader && room.slicesWithLeader >= slices)
            .min(
                Comparator.<DomainCapacity>comparingInt(room -> room.slicesWithLeader)
                    .thenComparingInt(room -> room.tasksWithLeader)
                    .thenComparing(room -> room.path, DomainCapacity::comparePaths));
    least.ifPresent(room -> room.given = slices);
    least.ifPresent(room -> room.leads = group.leader().isPresent());
    return least.map(room -> new Chosen(List.of(room), false));
  }

  private Optional<Chosen> several(int at) {
    return bySlices
        .give(tree.level(at), slices, group.leader().isPresent())
        .map(rooms -> new Chosen(rooms, false));
  }

  private Optional<DomainAssignment> descend(Chosen chosen) {
    Optional<List<DomainCapacity>> rooms = Optional.of(chosen.rooms());
    int at = chosen.rooms().get(0).level();
    for (; at < tree.sliceLevel() && rooms.isPresent(); at++) {
      rooms = chosen.fixed() ? eachShare(rooms.get(), bySlices) : pooled(rooms.get());
    }
    rooms.ifPresent(all -> all.forEach(room -> room.given *= tree.sliceSize()));
    for (; at < tree.lowest() && rooms.isPresent(); at++) {
      rooms = eachTasks(rooms.get(), tree.unit(at + 1));
    }
    return rooms.map(DomainSearch::assignment);
  }

  private Optional<List<DomainCapacity>> pooled(List<DomainCapacity> rooms) {
    List<DomainCapacity> children = rooms.stream().flatMap(room -> room.children.stream()).toList();
    return bySlices.give(children, slices, group.leader().isPresent());
  }

  private Optional<List<DomainCapacity>> eachTasks(List<DomainCapacity> rooms, int unit) {
    rooms.forEach(room -> room.given /= unit);
    Optional<List<DomainCapacity>> parts = eachShare(rooms, new CapacityFill(order, unit));
    parts.ifPresent(all -> all.forEach(room -> room.given *= unit));
    return parts;
  }

  private static Optional<List<DomainCapacity>> eachShare(
      List<DomainCapacity> rooms, CapacityFill fill) {
    List<DomainCapacity> parts = new ArrayList<>();
    for (DomainCapacity room : rooms) {
      Optional<List<DomainCapacity>> own = fill.give(room.children, room.given, room.leads);
      if (own.isEmpty()) {
        return Optional.empty();
      }
      parts.addAll(own.get());
    }
    return Optional.of(parts);
  }

  private static DomainAssignment assignment(List<DomainCapacity> rooms) {
    return new DomainAssignment(
        rooms.stream()
            .filter(room -> room.given > 0)
            .map(room -> new DomainAssignment.Part(room.path, room.given))
            .toList(),
        rooms.stream().filter(room -> room.leads).map(room -> room.path).findFirst());
  }
}
