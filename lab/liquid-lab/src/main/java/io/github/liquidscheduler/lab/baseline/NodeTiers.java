package io.github.liquidscheduler.lab.baseline;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.DomainId;
import io.github.liquidscheduler.placement.network.RolePair;
import io.github.liquidscheduler.placement.network.TaskCounts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The topology as Liquid sees it: nodes in racks in domains. The narrowest level plays the rack;
 * the next wider one plays the domain. Where a branch leaves a level out, the cluster stands in.
 */
final class NodeTiers {

  /** How near two nodes are. */
  enum Nearness {
    SAME_NODE,
    SAME_RACK,
    SAME_DOMAIN,
    FAR
  }

  private final ClusterTopology topology;
  private final int[] rack;
  private final int[] domain;
  private final int[] rackNodes;
  private final int[] domainNodes;

  NodeTiers(ClusterTopology topology) {
    this.topology = topology;
    int nodes = topology.nodes().size();
    rack = new int[nodes];
    domain = new int[nodes];
    rackNodes = new int[nodes];
    domainNodes = new int[nodes];
    List<String> levels = topology.levels();
    fill(topology, levels.size() - 2, rack, rackNodes);
    fill(topology, levels.size() - 3, domain, domainNodes);
  }

  private static void fill(ClusterTopology topology, int level, int[] tierOf, int[] nodesOf) {
    Map<DomainId, Integer> numbers = new LinkedHashMap<>();
    for (int position = 0; position < tierOf.length; position++) {
      Domain tier = level < 1 ? null : domainAt(topology, level, position);
      tierOf[position] =
          tier == null ? -1 : numbers.computeIfAbsent(tier.id(), k -> numbers.size());
      nodesOf[position] =
          tier == null ? topology.nodes().size() : topology.nodesOf(tier.id()).size();
    }
  }

  private static @Nullable Domain domainAt(ClusterTopology topology, int level, int position) {
    return topology
        .domainOf(topology.nodes().get(position).id(), topology.levels().get(level))
        .orElse(null);
  }

  /** Returns what a way costs, summed over all pairs of a server and a worker of a candidate. */
  static double sum(RolePair roles, TaskCounts counts, Way way) {
    double sum = 0;
    for (int a = 0; a < counts.size(); a++) {
      for (int b = 0; b < counts.size(); b++) {
        double pairs = (double) tasks(counts, a, roles.server()) * tasks(counts, b, roles.worker());
        sum += pairs * way.between(counts.node(a), counts.node(b));
      }
    }
    return sum;
  }

  private static int tasks(TaskCounts counts, int slot, int role) {
    return role < 0 ? 0 : counts.tasks(slot, role);
  }

  /** What the way between two nodes costs. */
  @FunctionalInterface
  interface Way {
    double between(int a, int b);
  }

  ClusterTopology topology() {
    return topology;
  }

  /** Returns how near two nodes are, by their positions. */
  Nearness nearness(int a, int b) {
    if (a == b) {
      return Nearness.SAME_NODE;
    }
    if (rack[a] == rack[b]) {
      return Nearness.SAME_RACK;
    }
    return domain[a] == domain[b] ? Nearness.SAME_DOMAIN : Nearness.FAR;
  }

  /** Returns the number of nodes in the node's rack. */
  int rackNodes(int node) {
    return rackNodes[node];
  }

  /** Returns the number of nodes in the node's domain. */
  int domainNodes(int node) {
    return domainNodes[node];
  }
}
