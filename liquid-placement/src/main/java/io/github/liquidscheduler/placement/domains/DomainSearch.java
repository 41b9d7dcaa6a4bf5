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
  record Chosen(List<Room> rooms, boolean fixed) {}

  private final RoomTree tree;
  private final TaskGroup group;
  private final DomainRule rule;
  private final int level;
  private final int slices;
  private final RoomFill bySlices;
  private final Comparator<Room> order;

  DomainSearch(List<String> names, List<NodeRoom> nodes, TaskGroup group, DomainRule rule) {
    tree = new RoomTree(names, nodes, group, rule);
    this.group = group;
    this.rule = rule;
    level = rule.level().map(name -> RoomTree.index(names, name)).orElse(0);
    slices = group.tasks() / tree.sliceSize();
    boolean leastFree = rule.reach() == DomainRule.Reach.UNCONSTRAINED;
    order = leastFree ? Room.SMALLEST_FIRST : Room.LARGEST_FIRST;
    bySlices = new RoomFill(order, 0);
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
    Optional<Room> least =
        tree.level(at).stream()
            .filter(room -> room.takesLeader && room.slicesWithLeader >= slices)
            .min(
                Comparator.<Room>comparingInt(room -> room.slicesWithLeader)
                    .thenComparingInt(room -> room.tasksWithLeader)
                    .thenComparing(room -> room.path, Room::comparePaths));
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
    Optional<List<Room>> rooms = Optional.of(chosen.rooms());
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

  private Optional<List<Room>> pooled(List<Room> rooms) {
    List<Room> children = rooms.stream().flatMap(room -> room.children.stream()).toList();
    return bySlices.give(children, slices, group.leader().isPresent());
  }

  private Optional<List<Room>> eachTasks(List<Room> rooms, int unit) {
    rooms.forEach(room -> room.given /= unit);
    Optional<List<Room>> parts = eachShare(rooms, new RoomFill(order, unit));
    parts.ifPresent(all -> all.forEach(room -> room.given *= unit));
    return parts;
  }

  private static Optional<List<Room>> eachShare(List<Room> rooms, RoomFill fill) {
    List<Room> parts = new ArrayList<>();
    for (Room room : rooms) {
      Optional<List<Room>> own = fill.give(room.children, room.given, room.leads);
      if (own.isEmpty()) {
        return Optional.empty();
      }
      parts.addAll(own.get());
    }
    return Optional.of(parts);
  }

  private static DomainAssignment assignment(List<Room> rooms) {
    return new DomainAssignment(
        rooms.stream()
            .filter(room -> room.given > 0)
            .map(room -> new DomainAssignment.Part(room.path, room.given))
            .toList(),
        rooms.stream().filter(room -> room.leads).map(room -> room.path).findFirst());
  }
}
