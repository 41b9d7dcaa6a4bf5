package io.github.liquidscheduler.formats.topology;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import java.util.ArrayList;
import java.util.List;

/** Merges the topology of one file with the nodes of another. */
public final class NodeDetails {

  private NodeDetails() {}

  /**
   * Returns the cluster of {@code tree}, each node with the GPUs, CPU, memory and labels of the
   * node of that name in {@code nodes}.
   *
   * @throws IllegalArgumentException if one is not there; the message names it
   */
  public static ClusterTopology united(ClusterTopology tree, ClusterTopology nodes) {
    List<Node> united = new ArrayList<>();
    for (Node node : tree.nodes()) {
      if (!nodes.contains(node.id())) {
        throw new IllegalArgumentException(
            "every node must be described, but '%s' is not".formatted(node.id()));
      }
      united.add(united(node, nodes.node(node.id())));
    }
    return tree.withNodes(united);
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
