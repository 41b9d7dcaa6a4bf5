package io.github.liquidscheduler.lab.domains;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Finds the domains of a group: capacity is counted upwards; then a level is chosen, and one or
 * several of its domains; from there the group is divided among their parts down to the narrowest
 * level. (Kueue's topology-aware scheduling.)
 *
 * <p>O(n log n) for n domains, and O(n) for each domain that is chosen.
 */
final class DomainSearch {

  /**
   * Domains chosen, with the slices given to each.
   *
   * @param domains the domains, all of one level
   * @param fixed whether each keeps its slices; else they may move among the parts of all
   */
  record Chosen(List<DomainCapacity> domains, boolean fixed) {}

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

  /** Returns the assignment of the group, if it fits. */
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

  /** Returns the smallest domain of a level that holds all. */
  private Optional<Chosen> single(int at) {
    Optional<DomainCapacity> least =
        tree.level(at).stream()
            .filter(domain -> domain.takesLeader && domain.slicesWithLeader >= slices)
            .min(
                Comparator.<DomainCapacity>comparingInt(domain -> domain.slicesWithLeader)
                    .thenComparingInt(domain -> domain.tasksWithLeader)
                    .thenComparing(domain -> domain.path, DomainCapacity::comparePaths));
    least.ifPresent(domain -> domain.given = slices);
    least.ifPresent(domain -> domain.leads = group.leader().isPresent());
    return least.map(domain -> new Chosen(List.of(domain), false));
  }

  private Optional<Chosen> several(int at) {
    return bySlices
        .give(tree.level(at), slices, group.leader().isPresent())
        .map(domains -> new Chosen(domains, false));
  }

  private Optional<DomainAssignment> descend(Chosen chosen) {
    Optional<List<DomainCapacity>> domains = Optional.of(chosen.domains());
    int at = chosen.domains().get(0).level();
    for (; at < tree.sliceLevel() && domains.isPresent(); at++) {
      domains = chosen.fixed() ? eachShare(domains.get(), bySlices) : pooled(domains.get());
    }
    domains.ifPresent(all -> all.forEach(domain -> domain.given *= tree.sliceSize()));
    for (; at < tree.lowest() && domains.isPresent(); at++) {
      domains = eachTasks(domains.get(), tree.unit(at + 1));
    }
    return domains.map(DomainSearch::assignment);
  }

  private Optional<List<DomainCapacity>> pooled(List<DomainCapacity> domains) {
    List<DomainCapacity> children =
        domains.stream().flatMap(domain -> domain.children.stream()).toList();
    return bySlices.give(children, slices, group.leader().isPresent());
  }

  private Optional<List<DomainCapacity>> eachTasks(List<DomainCapacity> domains, int unit) {
    domains.forEach(domain -> domain.given /= unit);
    Optional<List<DomainCapacity>> parts = eachShare(domains, new CapacityFill(order, unit));
    parts.ifPresent(all -> all.forEach(domain -> domain.given *= unit));
    return parts;
  }

  private static Optional<List<DomainCapacity>> eachShare(
      List<DomainCapacity> domains, CapacityFill fill) {
    List<DomainCapacity> parts = new ArrayList<>();
    for (DomainCapacity domain : domains) {
      Optional<List<DomainCapacity>> own = fill.give(domain.children, domain.given, domain.leads);
      if (own.isEmpty()) {
        return Optional.empty();
      }
      parts.addAll(own.get());
    }
    return Optional.of(parts);
  }

  private static DomainAssignment assignment(List<DomainCapacity> domains) {
    return new DomainAssignment(
        domains.stream()
            .filter(domain -> domain.given > 0)
            .map(domain -> new DomainAssignment.Part(domain.path, domain.given))
            .toList(),
        domains.stream().filter(domain -> domain.leads).map(domain -> domain.path).findFirst());
  }
}
