package io.github.liquidscheduler.cli.topology;

import com.google.common.collect.ImmutableMultiset;
import com.google.common.collect.Multimaps;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.DomainId;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.text.Count;
import java.util.ArrayList;
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
    Multimaps.asMap(Multimaps.index(nodes, TopologyTree::build))
        .forEach(
            (build, alike) ->
                lines.add(
                    "%s%d x %s (%s)"
                        .formatted("  ".repeat(level), alike.size(), build, shortened(alike))));
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

  private static String shortened(List<Node> nodes) {
    return nodes.size() <= MOST_NAMES
        ? nodes.stream().map(node -> node.id().value()).collect(Collectors.joining(", "))
        : "%s … %s".formatted(nodes.getFirst().id(), nodes.getLast().id());
  }

  private String contents(NodeRange range) {
    String gpus =
        counted(
            ", ",
            topology.nodes().subList(range.first(), range.end()).stream()
                .flatMap(node -> node.gpus().stream())
                .map(gpu -> gpu.model().toString()));
    return Count.of(range.size(), "node") + " with " + (gpus.isEmpty() ? "no GPUs" : gpus);
  }

  private static String counted(String separator, Stream<String> texts) {
    return texts.collect(ImmutableMultiset.toImmutableMultiset()).entrySet().stream()
        .map(each -> each.getCount() + " " + each.getElement())
        .collect(Collectors.joining(separator));
  }

  private static String text(Link link) {
    return link.latency().isZero()
        ? link.bandwidth().toString()
        : link.bandwidth() + " after " + link.latency().toNanos() / 1000.0 + " µs";
  }
}
