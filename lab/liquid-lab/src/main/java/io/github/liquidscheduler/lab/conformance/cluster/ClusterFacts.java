package io.github.liquidscheduler.lab.conformance.cluster;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.lab.conformance.peer.Facts;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The nodes and queues of a case about a cluster.
 *
 * @param topology the nodes, and the domains of the one tree of levels
 * @param queues the queues, older ones first
 * @param allowed the nodes that tasks are allowed on
 */
record ClusterFacts(ClusterTopology topology, QueueTree queues, AllowedNodes allowed) {

  private static final double DEFAULT_MEMORY = 20e9;
  private static final double DEFAULT_GPU_MEMORY_MIB = 100;
  private static final int DEFAULT_PRIORITY = 100;
  private static final double NO_END = -1;
  private static final GpuModel MODEL = GpuModel.of("GPU");

  private static final Map<String, QuotaResource> RESOURCES = resources();

  private static Map<String, QuotaResource> resources() {
    Map<String, QuotaResource> resources = new LinkedHashMap<>();
    resources.put("gpu", QuotaResource.GPUS);
    resources.put("cpu", QuotaResource.CPU);
    resources.put("memory", QuotaResource.MEMORY);
    return resources;
  }

  /** Returns those of a case. */
  static ClusterFacts of(Facts facts) {
    AllowedNodes allowed = new AllowedNodes(facts);
    return new ClusterFacts(
        topology(facts, allowed), facts.reading("queues", () -> queues(facts)), allowed);
  }

  private static ClusterTopology topology(Facts facts, AllowedNodes allowed) {
    CaseDomains domains = new CaseDomains(facts, ClusterTopology.NODE);
    List<Node> nodes =
        new ArrayList<>(
            facts.each(
                "nodes", node -> node(node, domains.domainOf(node), allowed.labelsOf(node))));
    if (nodes.isEmpty()) {
      nodes.add(Node.builder("none").build());
    }
    return facts.reading("nodes", () -> domains.cluster(nodes));
  }

  private static Node node(Facts stated, Optional<String> domain, Map<String, String> allowing) {
    double gpuMemory = stated.number("gpuMemoryMib", DEFAULT_GPU_MEMORY_MIB);
    Node.Builder node =
        Node.builder(stated.text("name"))
            .gpus(stated.count("gpus", 0), MODEL, Memory.ofMib((long) gpuMemory))
            .memory(Memory.ofBytes((long) stated.number("memory", DEFAULT_MEMORY)));
    if (stated.has("cpu")) {
      node.cpu(CpuCores.of(stated.number("cpu")));
    }
    Facts labels = stated.object("labels");
    labels.names().forEach(name -> node.label(name, labels.text(name)));
    allowing.forEach(node::label);
    domain.ifPresent(node::domain);
    return node.build();
  }

  /**
   * Returns the memory of each GPU.
   *
   * @throws IllegalArgumentException if they differ
   */
  double gpuMemoryMib() {
    List<Memory> memories =
        topology.nodes().stream()
            .flatMap(node -> node.gpus().stream())
            .map(Gpu::memory)
            .distinct()
            .toList();
    if (memories.size() != 1) {
      throw new IllegalArgumentException(
          "GPUs must have one size where memory of them is requested, but have " + memories);
    }
    return memories.get(0).bytes() / (double) Memory.ofMib(1).bytes();
  }

  private static QueueTree queues(Facts facts) {
    List<Facts> stated = new ArrayList<>(facts.objects("queues"));
    stated.sort(Comparator.comparingDouble(queue -> queue.number("created", 0)));
    List<QueueSpec> queues = new ArrayList<>();
    stated.forEach(queue -> queues.add(queue.reading(() -> queue(queue, stated))));
    return QueueTree.of(queues);
  }

  private static QueueSpec queue(Facts queue, List<Facts> all) {
    QueueSpec spec =
        QueueSpec.named(queue.text("name")).withPriority(queue.count("priority", DEFAULT_PRIORITY));
    for (Map.Entry<String, QuotaResource> resource : RESOURCES.entrySet()) {
      boolean counts = all.stream().anyMatch(other -> other.has(resource.getKey()));
      if (counts) {
        spec = spec.with(resource.getValue(), quota(queue, resource.getKey()));
      }
    }
    return queue.ifText("parent").map(spec::in).orElse(spec);
  }

  private static QueueQuota quota(Facts queue, String resource) {
    if (!queue.has(resource)) {
      return QueueQuota.UNLIMITED;
    }
    Facts stated = queue.object(resource);
    return stated.reading(() -> quota(stated));
  }

  private static QueueQuota quota(Facts stated) {
    double guaranteed = stated.amount("deserved");
    double limit = stated.amount("limit");
    double weight = stated.number("overQuotaWeight", 1);
    // What is guaranteed beyond a limit can never be held.
    double within = Double.isInfinite(guaranteed) ? guaranteed : Math.min(guaranteed, limit);
    return QueueQuota.guaranteed(within).withLimit(limit).withWeight(weight == NO_END ? 1 : weight);
  }
}
