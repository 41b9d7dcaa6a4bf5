package io.github.liquidscheduler.lab.conformance.cluster;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.lab.conformance.peer.Facts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The domains that the labels of a case's nodes name, in the one tree of levels that it states. A
 * domain is told by the labels from the top down. Mutable.
 */
final class CaseDomains {

  private final List<String> levels;
  private final Map<List<String>, Domain> domains = new LinkedHashMap<>();

  /**
   * Begins with the levels of a case, and no domain.
   *
   * @param nodeLevel how the case calls the level of nodes
   * @throws IllegalArgumentException if there are several trees
   */
  CaseDomains(Facts facts, String nodeLevel) {
    List<Facts> trees = facts.objects("topologies");
    if (trees.size() > 1) {
      throw facts.refusal("topologies", "a cluster has one tree of levels at most");
    }
    levels =
        trees.stream()
            .flatMap(tree -> tree.texts("levels").stream())
            .filter(level -> !level.equals(nodeLevel))
            .toList();
  }

  /** Returns the name of a node's narrowest domain, if its labels name one. */
  Optional<String> domainOf(Facts node) {
    Facts labels = node.object("labels");
    Optional<String> parent = Optional.empty();
    List<String> path = new ArrayList<>();
    for (String level : levels) {
      if (!labels.has(level)) {
        return parent;
      }
      path.add(labels.text(level));
      Domain own = Domain.of(level, level + " " + domains.size());
      Domain made = parent.map(own::in).orElse(own);
      parent = Optional.of(domains.computeIfAbsent(List.copyOf(path), any -> made).id().value());
    }
    return parent;
  }

  /** Returns a cluster of nodes in the domains named so far. */
  ClusterTopology cluster(List<Node> nodes) {
    ClusterTopology.Builder cluster =
        ClusterTopology.builder().levels(levels.toArray(String[]::new));
    domains.values().forEach(cluster::domain);
    return cluster.nodes(nodes).build();
  }
}
