package io.github.liquidscheduler.formats.topology;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.formats.input.JsonRecord;
import io.github.liquidscheduler.formats.input.JsonRecords;
import io.github.liquidscheduler.formats.input.PlacedRefusal;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads what {@code kubectl get nodes -o json} prints. Nodes that are cordoned, not ready or
 * tainted by Kubernetes itself are left out. Levels are told by labels; of several that stand for a
 * level the first that a node has counts.
 */
record KubernetesNodesReader(Hardware hardware) implements TopologyReader {

  private static final Map<String, List<String>> LEVEL_LABELS = levelLabels();

  private static Map<String, List<String>> levelLabels() {
    Map<String, List<String>> labels = new LinkedHashMap<>();
    labels.put(
        "zone", List.of("topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"));
    labels.put(
        "block",
        List.of(
            "topology.kubernetes.io/block",
            "cloud.google.com/gce-topology-block",
            "cloud.provider.com/topology-block",
            "topology.k8s.aws/network-node-layer-2"));
    labels.put(
        "rack",
        List.of(
            "topology.kubernetes.io/rack",
            "cloud.google.com/gce-topology-subblock",
            "cloud.provider.com/topology-rack",
            "topology.k8s.aws/network-node-layer-3"));
    return labels;
  }

  @Override
  public ReadTopology read(String source, List<String> lines) {
    byte[] text = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
    JsonRecords records = JsonRecords.of(source, new ByteArrayInputStream(text), "items");
    TopologyWarnings warnings = new TopologyWarnings();
    List<KubernetesNode> nodes = new ArrayList<>();
    for (JsonRecord each = records.next(); each != null; each = records.next()) {
      KubernetesNode node = new KubernetesNode(each, hardware, warnings);
      node.state()
          .ifPresentOrElse(
              state -> warnings.nodeLeftOut(state, node.name()), () -> nodes.add(node));
    }
    List<String> levels = levels(nodes);
    ClusterTopology.Builder cluster =
        ClusterTopology.builder().levels(levels.toArray(String[]::new));
    DomainNames names = new DomainNames(Set.of());
    nodes.forEach(node -> add(cluster, node, levels, names));
    return warnings.of(source, cluster, !nodes.isEmpty());
  }

  private static List<String> levels(List<KubernetesNode> nodes) {
    return LEVEL_LABELS.keySet().stream()
        .filter(level -> nodes.stream().anyMatch(node -> domain(node, level).isPresent()))
        .toList();
  }

  private static Optional<String> domain(KubernetesNode node, String level) {
    return node.labels().firstText(LEVEL_LABELS.getOrDefault(level, List.of()));
  }

  private void add(
      ClusterTopology.Builder cluster,
      KubernetesNode from,
      List<String> levels,
      DomainNames names) {
    Node.Builder node = PlacedRefusal.at(from.place(), from::node);
    List<DomainNames.Step> way = new ArrayList<>();
    String parent = "";
    for (String level : levels) {
      Optional<String> name = domain(from, level);
      if (name.isPresent()) {
        way.add(new DomainNames.Step(level, name.get()));
        parent = names.add(way, parent, hardware, cluster);
      }
    }
    cluster.node(parent.isEmpty() ? node.build() : node.domain(parent).build());
  }
}
