package io.github.liquidscheduler.lab.reference.backfill;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What the simulator makes of a cluster. */
final class BackfillCluster {

  private BackfillCluster() {}

  /**
   * Returns equal nodes. Nodes of one GPU each are nothing but a number of GPUs; the domains of the
   * narrowest level above nodes, if there is one below the cluster, are racks.
   *
   * @throws IllegalArgumentException if nodes or racks are not equal
   */
  static NodeRacks of(ClusterTopology cluster) {
    Set<Integer> gpus =
        cluster.nodes().stream()
            .map(Node::gpus)
            .map(List::size)
            .collect(Collectors.toCollection(TreeSet::new));
    requireOne("GPUs per node", gpus);
    int gpusPerNode = gpus.iterator().next();
    return gpusPerNode == 1
        ? NodeRacks.ofGpus(cluster.nodes().size())
        : new NodeRacks(cluster.nodes().size(), gpusPerNode, nodesPerRack(cluster));
  }

  private static int nodesPerRack(ClusterTopology cluster) {
    String level = cluster.levels().get(cluster.levels().size() - 2);
    if (level.equals(ClusterTopology.CLUSTER)) {
      return cluster.nodes().size();
    }
    Set<Integer> sizes =
        cluster.nodes().stream()
            .map(node -> nodesBeside(cluster, node, level))
            .collect(Collectors.toCollection(TreeSet::new));
    requireOne("nodes per " + level, sizes);
    return sizes.iterator().next();
  }

  /** Returns how many nodes the domain of a node has; one if it is in none of the level. */
  private static int nodesBeside(ClusterTopology cluster, Node node, String level) {
    return cluster
        .domainOf(node.id(), level)
        .map(domain -> cluster.nodesOf(domain.id()).size())
        .orElse(1);
  }

  private static void requireOne(String what, Set<Integer> numbers) {
    if (numbers.size() != 1) {
      throw new IllegalArgumentException(
          "the backfill simulator needs the same number of %s everywhere, but there were %s"
              .formatted(what, numbers));
    }
  }
}
