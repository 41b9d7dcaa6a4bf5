package io.github.liquidscheduler.formats.topology;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.formats.input.JsonRecord;
import io.github.liquidscheduler.formats.input.JsonRecords;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Reads what {@code kubectl get nodes -o json} prints. GPUs, CPU and memory are what is
 * allocatable. Levels are told by labels; of several that stand for a level the first that a node
 * has counts.
 */
record KubernetesNodesReader(Hardware hardware) implements TopologyReader {

  private static final Map<String, List<String>> LEVEL_LABELS = levelLabels();

  private static final List<String> MODEL_LABELS =
      List.of("nvidia.com/gpu.product", "cloud.google.com/gke-accelerator", "gpu.nvidia.com/model");
  private static final String GPU_MEMORY = "nvidia.com/gpu.memory";

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
  public ClusterTopology read(String source, List<String> lines) {
    byte[] text = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
    JsonRecords records = JsonRecords.of(source, new ByteArrayInputStream(text), "items");
    List<JsonRecord> nodes = new ArrayList<>();
    for (JsonRecord each = records.next(); each != null; each = records.next()) {
      nodes.add(each);
    }
    List<String> levels = levels(nodes);
    ClusterTopology.Builder cluster =
        ClusterTopology.builder().levels(levels.toArray(String[]::new));
    Set<String> known = new LinkedHashSet<>();
    nodes.forEach(node -> add(cluster, node, levels, known));
    return cluster.build();
  }

  private static List<String> levels(List<JsonRecord> nodes) {
    return LEVEL_LABELS.keySet().stream()
        .filter(level -> nodes.stream().anyMatch(node -> domain(node, level).isPresent()))
        .toList();
  }

  private static Optional<String> domain(JsonRecord node, String level) {
    return labels(node).firstText(LEVEL_LABELS.getOrDefault(level, List.of()));
  }

  private void add(
      ClusterTopology.Builder cluster, JsonRecord record, List<String> levels, Set<String> known) {
    Node.Builder node = node(record);
    String way = "";
    for (String level : levels) {
      Optional<String> name = domain(record, level);
      if (name.isPresent()) {
        String id = way.isEmpty() ? name.get() : way + "/" + name.get();
        if (known.add(id)) {
          cluster.domain(hardware.domain(level, id, way));
        }
        way = id;
      }
    }
    cluster.node(way.isEmpty() ? node.build() : node.domain(way).build());
  }

  private Node.Builder node(JsonRecord record) {
    JsonRecord labels = labels(record);
    JsonRecord allocatable = record.object("status").object("allocatable");
    Node.Builder node =
        hardware
            .bareNode(record.object("metadata").text("name"))
            .gpus(gpus(record, allocatable), model(labels), memory(labels));
    allocatable
        .quantity("cpu")
        .ifPresent(cores -> node.cpu(CpuCores.ofMillicores(whole(cores.movePointRight(3)))));
    allocatable.quantity("memory").ifPresent(bytes -> node.memory(Memory.ofBytes(whole(bytes))));
    for (String name : labels.names()) {
      labels.optionalText(name).ifPresent(value -> node.label(name, value));
    }
    return node;
  }

  private static int gpus(JsonRecord node, JsonRecord allocatable) {
    BigDecimal gpus =
        Stream.of("nvidia.com/gpu", "amd.com/gpu")
            .flatMap(resource -> allocatable.quantity(resource).stream())
            .reduce(BigDecimal.ZERO, BigDecimal::add);
    if (gpus.compareTo(BigDecimal.valueOf(Node.MAX_GPUS)) > 0) {
      throw node.error("nvidia.com/gpu", "must be at most " + Node.MAX_GPUS + ", but is " + gpus);
    }
    return gpus.intValue();
  }

  private GpuModel model(JsonRecord labels) {
    return labels.firstText(MODEL_LABELS).map(GpuModel::of).orElse(hardware.model());
  }

  private Memory memory(JsonRecord labels) {
    return labels
        .quantity(GPU_MEMORY)
        .map(mib -> Memory.ofMib(whole(mib)))
        .orElse(hardware.memory());
  }

  private static long whole(BigDecimal amount) {
    return amount.setScale(0, RoundingMode.FLOOR).longValue();
  }

  private static JsonRecord labels(JsonRecord node) {
    return node.object("metadata").object("labels");
  }
}
