package io.github.liquidscheduler.cluster;

import io.github.liquidscheduler.text.Text;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Checks the parts of a topology and puts them in the order of a depth-first walk: a domain before
 * its sub-domains, the nodes that hang on a domain before the nodes of its sub-domains.
 */
final class TopologyWalk {

  private final List<String> levels = new ArrayList<>();
  private final Map<DomainId, Domain> known;
  private final Map<Optional<DomainId>, List<Domain>> children = new LinkedHashMap<>();
  private final Map<Optional<DomainId>, List<Node>> leaves = new LinkedHashMap<>();
  private final List<Domain> domains = new ArrayList<>();
  private final List<Node> nodes = new ArrayList<>();
  private final List<NodeRange> ranges = new ArrayList<>();

  TopologyWalk(
      List<String> named,
      List<Domain> domains,
      Map<DomainId, Domain> known,
      Collection<Node> nodes) {
    this.known = known;
    nameLevels(named);
    domains.forEach(this::hang);
    nodes.forEach(this::hang);
    if (nodes.isEmpty()) {
      throw new IllegalArgumentException("a cluster needs at least one node, but had none");
    }
    visit(Optional.empty());
  }

  List<String> levels() {
    return List.copyOf(levels);
  }

  List<Domain> domains() {
    return domains;
  }

  List<Node> nodes() {
    return nodes;
  }

  /** Returns the node range of each domain, in the order of {@link #domains()}. */
  List<NodeRange> ranges() {
    return ranges;
  }

  private void nameLevels(List<String> named) {
    if (named.size() > ClusterTopology.MAX_LEVELS) {
      throw new IllegalArgumentException(
          "a cluster must have at most %d levels, but had %d"
              .formatted(ClusterTopology.MAX_LEVELS, named.size()));
    }
    levels.add(ClusterTopology.CLUSTER);
    levels.addAll(named);
    levels.add(ClusterTopology.NODE);
    Set<String> seen = new HashSet<>();
    for (String level : levels) {
      if (Text.require(level, "a level").isBlank() || !seen.add(level)) {
        throw new IllegalArgumentException(
            "levels must have distinct names other than 'cluster' and 'node', but were " + named);
      }
    }
  }

  private void hang(Domain domain) {
    int level = levels.indexOf(domain.level());
    if (level < 1 || level == levels.size() - 1) {
      throw new IllegalArgumentException(
          "a domain's level must be one of %s, but was '%s', for domain '%s'"
              .formatted(levels.subList(1, levels.size() - 1), domain.level(), domain.id()));
    }
    domain.parent().ifPresent(parent -> requireWider(domain, level, parent));
    children.computeIfAbsent(domain.parent(), key -> new ArrayList<>()).add(domain);
  }

  private void requireWider(Domain domain, int level, DomainId parent) {
    Domain wider = known.get(parent);
    if (wider == null) {
      throw new IllegalArgumentException(
          "domain '%s' hangs on domain '%s', which was not added".formatted(domain.id(), parent));
    }
    if (levels.indexOf(wider.level()) >= level) {
      throw new IllegalArgumentException(
          "a domain must hang on one of a wider level, but %s hangs on %s"
              .formatted(domain, wider));
    }
  }

  private void hang(Node node) {
    node.domain()
        .filter(domain -> !known.containsKey(domain))
        .ifPresent(
            domain -> {
              throw new IllegalArgumentException(
                  "node '%s' hangs on domain '%s', which was not added"
                      .formatted(node.id(), domain));
            });
    leaves.computeIfAbsent(node.domain(), key -> new ArrayList<>()).add(node);
  }

  private void visit(Optional<DomainId> domain) {
    nodes.addAll(leaves.getOrDefault(domain, List.of()));
    for (Domain child : children.getOrDefault(domain, List.of())) {
      int position = domains.size();
      int first = nodes.size();
      domains.add(child);
      ranges.add(new NodeRange(first, first));
      visit(Optional.of(child.id()));
      ranges.set(position, new NodeRange(first, nodes.size()));
    }
  }
}
