package io.github.liquidscheduler.slurm;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** What a running job has: nodes with as many GPUs of it each are one role. */
record JobAllocation(
    Map<Integer, List<NodeId>> byGpus, SortedSet<String> models, long cpus, Memory memory) {

  /** Reads what the job has; empty if it is not known. */
  static Optional<JobAllocation> of(ListedJob job) throws IOException {
    if (!job.hasAllocation()) {
      return Optional.empty();
    }
    List<String> nodes = job.nodes();
    List<String> gpus = job.detail().words("gres_detail");
    Map<Integer, List<NodeId>> byGpus = new LinkedHashMap<>();
    TreeSet<String> models = new TreeSet<>();
    for (int node = 0; node < nodes.size(); node++) {
      int count = 0;
      for (Tres each : Tres.list(gpus.size() == nodes.size() ? gpus.get(node) : "")) {
        if (each.isGpu()) {
          count += Math.toIntExact(each.amount(1));
          models.add(each.type());
        }
      }
      byGpus.computeIfAbsent(count, any -> new ArrayList<>()).add(NodeId.of(nodes.get(node)));
    }
    String tres = job.detail().text("tres_alloc_str");
    return Optional.of(
        new JobAllocation(
            byGpus,
            models,
            Math.ceilDiv(Tres.amount(tres, "cpu").orElse(0), nodes.size()),
            Memory.ofBytes(Math.ceilDiv(RequestedShape.memory(tres), (long) nodes.size()))));
  }

  /** Returns the node of each task, in the order of the roles. */
  List<NodeId> nodes() {
    return byGpus.values().stream().flatMap(List::stream).toList();
  }

  void addTo(JobSpec.Builder spec) {
    int role = 1;
    for (Map.Entry<Integer, List<NodeId>> each : byGpus.entrySet()) {
      String name = role == 1 ? "node" : "node-" + role;
      int count = each.getValue().size();
      spec.role(
          name,
          count,
          new RequestedShape.NodeShape(count, each.getKey(), "", cpus, memory).request());
      role++;
    }
    if (models.size() == 1 && !models.first().isEmpty()) {
      spec.gpuModels(List.of(GpuModel.of(models.first())));
    }
  }
}
