package io.github.liquidscheduler.cli.topology;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.DomainId;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeRange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tree of a cluster as lines of text; equal nodes of a domain share one. */
final class TopologyTree {

  private static final int MOST_NAMES = 4;

  private final ClusterTopology topology;
  private final int depth;
  private final List<String> lines = new ArrayList<>();

  TopologyTree(ClusterTopology topology, int depth) {
    this.topology = topology;
    this.depth = depth;
  }

  List<String> lines() {
    lines.clear();
    lines.add("cluster: " + contents(new NodeRange(0, topology.nodes().size())));
    lines.add("levels: " + String.join(" > ", topology.levels()));
    Map<Optional<DomainId>, List<Domain>> children =
        topology.domains().stream().collect(Collectors.groupingBy(Domain::parent));
    Map<Optional<DomainId>, List<Node>> nodes =
        topology.nodes().stream().collect(Collectors.groupingBy(Node::domain));
    addBelow(Optional.empty(), 1, children, nodes);
    return List.copyOf(lines);
  }

  private void addBelow(
      Optional<DomainId> parent,
      int level,
      Map<Optional<DomainId>, List<Domain>> children,
      Map<Optional<DomainId>, List<Node>> nodes) {
    if (level > depth) {
      return;
    }
    addNodes(nodes.getOrDefault(parent, List.of()), level);
    for (Domain child : children.getOrDefault(parent, List.of())) {
      String fabric = child.fabric().map(rate -> ", NVLink domain at " + rate).orElse("");
      lines.add(
          "%s%s: %s, uplink %s%s"
              .formatted(
                  "  ".repeat(level),
                  child,
                  contents(topology.nodesOf(child.id())),
                  text(child.uplink()),
                  fabric));
      addBelow(Optional.of(child.id()), level + 1, children, nodes);
    }
  }

  private void addNodes(List<Node> nodes, int level) {
    Map<String, List<String>> namesByBuild = new LinkedHashMap<>();
    for (Node node : nodes) {
      namesByBuild.computeIfAbsent(build(node), build -> new ArrayList<>()).add(node.id().value());
    }
    namesByBuild.forEach(
        (build, names) ->
            lines.add(
                "%s%d x %s (%s)"
                    .formatted("  ".repeat(level), names.size(), build, shortened(names))));
  }

  private static String build(Node node) {
    String gpus =
        counted(
            "; ",
            node.gpus().stream()
                .map(
                    gpu ->
                        "%s (%s), NVLink group %d, NUMA node %d"
                            .formatted(
                                gpu.model(), gpu.memory(), gpu.nvlinkGroup(), gpu.numaNode())));
    return "node of [%s], NIC %s, between GPUs %s".formatted(gpus, text(node.nic()), node.nvlink());
  }

  private static String shortened(List<String> names) {
    return names.size() <= MOST_NAMES
        ? String.join(", ", names)
        : "%s … %s".formatted(names.getFirst(), names.getLast());
  }

  private String contents(NodeRange range) {
    String gpus =
        counted(
            ", ",
            topology.nodes().subList(range.first(), range.end()).stream()
                .flatMap(node -> node.gpus().stream())
                .map(gpu -> gpu.model().toString()));
    return range.size()
        + (range.size() == 1 ? " node" : " nodes")
        + " with "
        + (gpus.isEmpty() ? "no GPUs" : gpus);
  }

  /** Returns the number of occurrences of each text, in order of first occurrence. */
  private static String counted(String separator, Stream<String> texts) {
    return texts
        .collect(Collectors.groupingBy(text -> text, LinkedHashMap::new, Collectors.counting()))
        .entrySet()
        .stream()
        .map(each -> each.getValue() + " " + each.getKey())
        .collect(Collectors.joining(separator));
  }

  private static String text(Link link) {
    return link.latency().isZero()
        ? link.bandwidth().toString()
        : link.bandwidth() + " after " + link.latency().toNanos() / 1000.0 + " µs";
  }
}
