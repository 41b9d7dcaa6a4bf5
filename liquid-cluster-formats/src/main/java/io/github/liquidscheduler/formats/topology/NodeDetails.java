package io.github.liquidscheduler.formats.topology;

import io.github.liquidscheduler.cluster.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Merges the topology of one file with the nodes of another. */
public final class NodeDetails {

  private NodeDetails() {}

  /**
   * Returns the cluster of {@code tree}, each node with the GPUs, CPU, memory and labels of the
   * node of that name in {@code nodes}, or of its unnamed node, and the warnings of both. Nodes
   * that {@code nodes} has left out are not in it, and nodes that are not in {@code tree} are left
   * out.
   *
   * @throws IllegalArgumentException if a node is neither there nor left out, which the message
   *     names, or all were left out
   */
  public static ReadTopology united(ReadTopology tree, ReadTopology nodes) {
    Set<String> leftOut =
        nodes.warnings().stream()
            .filter(warning -> warning.kind() == TopologyWarning.Kind.NODES_LEFT_OUT)
            .flatMap(warning -> warning.nodes().stream())
            .collect(Collectors.toSet());
    List<Node> united = new ArrayList<>();
    for (Node node : tree.cluster().nodes()) {
      if (nodes.cluster().contains(node.id())) {
        united.add(united(node, nodes.cluster().node(node.id())));
      } else if (!leftOut.contains(node.id().value())) {
        united.add(united(node, nodes.unnamed().orElseThrow(() -> undescribed(node))));
      }
    }
    List<TopologyWarning> warnings = new ArrayList<>(tree.warnings());
    warnings.addAll(nodes.warnings());
    List<String> elsewhere =
        nodes.cluster().nodes().stream()
            .filter(node -> !tree.cluster().contains(node.id()))
            .filter(node -> !nodes.unnamed().equals(Optional.of(node)))
            .map(node -> node.id().value())
            .toList();
    if (!elsewhere.isEmpty()) {
      warnings.add(
          new TopologyWarning(
              TopologyWarning.Kind.NODES_LEFT_OUT, "not in the topology", elsewhere));
    }
    return new ReadTopology(tree.cluster().withNodes(united), warnings);
  }

  private static IllegalArgumentException undescribed(Node node) {
    return new IllegalArgumentException(
        "every node must be described, but '%s' is not".formatted(node.id()));
  }

  private static Node united(Node place, Node details) {
    Node.Builder node =
        Node.builder(place.id().value())
            .nic(place.nic())
            .nvlink(place.nvlink())
            .cpu(details.cpu())
            .memory(details.memory());
    details.gpus().forEach(node::gpu);
    details.labels().forEach(node::label);
    place.domain().ifPresent(domain -> node.domain(domain.value()));
    return node.build();
  }
}
