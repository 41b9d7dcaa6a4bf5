package io.github.liquidscheduler.simulator.alternatives;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.cost.NetworkParameters;
import io.github.liquidscheduler.placement.network.LinkLoads;
import io.github.liquidscheduler.placement.network.NetworkModel;
import io.github.liquidscheduler.placement.network.PhysicalCost;
import io.github.liquidscheduler.placement.network.PhysicalCost.JobCost;
import io.github.liquidscheduler.placement.network.TaskCounts;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.simulator.alternatives.PlacementComparison.Candidate;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.function.Predicate;

/** Searches for placements that a job could have instead of the chosen one. */
final class Alternatives {

  /** Enough for readers; more would only take time on large clusters. */
  private static final int MOST_NODES_WITHHELD = 16;

  private static final int MOST_DOMAINS = 64;

  private final ClusterView view;
  private final ClusterTopology topology;
  private final JobSpec job;
  private final String name;
  private final SequencedMap<String, Placer> placers;
  private final Placer placer;
  private final JobCost cost;

  /** Tasks of a role on a node. */
  private record RoleOnNode(NodeId node, String role) {}

  private final Map<Map<RoleOnNode, Integer>, Candidate> found = new LinkedHashMap<>();

  Alternatives(ClusterView view, JobSpec job, String name, SequencedMap<String, Placer> placers) {
    this.view = view;
    this.job = job;
    this.name = name;
    this.placers = placers;
    placer = Objects.requireNonNull(placers.get(name));
    topology = view.topology();
    LinkLoads loads =
        view instanceof ClusterState state
            ? state.loads()
            : LinkLoads.shownBy(view, NetworkModel.of(topology, NetworkParameters.DEFAULT));
    cost = PhysicalCost.of(loads.model(), loads).forJob(job);
  }

  PlacementComparison to(Placement chosen) {
    Candidate candidate = candidate(name, chosen);
    found.put(tasksByNode(chosen), candidate);
    withoutNodesOf(chosen);
    inOtherDomains();
    byOtherPlacers();
    found.remove(tasksByNode(chosen));
    return new PlacementComparison(
        candidate,
        found.values().stream()
            .sorted(Comparator.comparingDouble(other -> other.cost().cost()))
            .toList());
  }

  private void withoutNodesOf(Placement chosen) {
    List<NodeId> nodes = List.copyOf(chosen.nodes());
    for (NodeId node : nodes.subList(0, Math.min(nodes.size(), MOST_NODES_WITHHELD))) {
      offer(name + " without node '" + node + "'", placer, other -> !other.equals(node));
    }
    offer(name + " without these nodes", placer, node -> !nodes.contains(node));
  }

  private void inOtherDomains() {
    topology.domains().stream().limit(MOST_DOMAINS).forEach(this::inDomain);
  }

  private void inDomain(Domain domain) {
    NodeRange nodes = topology.nodesOf(domain.id());
    offer(
        "%s in %s".formatted(name, domain),
        placer,
        node -> nodes.contains(topology.position(node)));
  }

  private void byOtherPlacers() {
    placers.forEach(
        (other, finds) -> {
          if (!other.equals(name)) {
            offer(other, finds, node -> true);
          }
        });
  }

  private void offer(String origin, Placer by, Predicate<NodeId> usable) {
    ClusterState state = ClusterState.copyOf(view);
    for (Node node : topology.nodes()) {
      if (!usable.test(node.id())) {
        state.setHealth(node.id(), NodeHealth.DRAINING);
      }
    }
    by.place(state, job)
        .ifPresent(
            place -> found.computeIfAbsent(tasksByNode(place), key -> candidate(origin, place)));
  }

  private Candidate candidate(String origin, Placement placement) {
    return new Candidate(origin, placement, cost.explain(TaskCounts.of(topology, job, placement)));
  }

  private static Map<RoleOnNode, Integer> tasksByNode(Placement placement) {
    Map<RoleOnNode, Integer> tasks = new LinkedHashMap<>();
    placement
        .tasks()
        .forEach(
            task -> tasks.merge(new RoleOnNode(task.node(), task.task().role()), 1, Integer::sum));
    return tasks;
  }
}
