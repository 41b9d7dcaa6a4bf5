package io.github.liquidscheduler.estimator.request;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The resources of a cluster's nodes: per GPU model, and per GPU where it is scarcest. */
final class NodeParts {
  private final Map<GpuModel, Memory> deviceMemory = new LinkedHashMap<>();
  private final ClusterTopology topology;
  private final String widestLevel;
  private int mostGpus;
  private double milliCoresPerGpu = Double.POSITIVE_INFINITY;
  private double memoryPerGpu = Double.POSITIVE_INFINITY;

  NodeParts(ClusterTopology topology) {
    this.topology = topology;
    widestLevel = topology.levels().getFirst();
    for (Node node : topology.nodes()) {
      int gpus = node.gpus().size();
      mostGpus = Math.max(mostGpus, gpus);
      if (gpus > 0) {
        milliCoresPerGpu = least(milliCoresPerGpu, node.cpu().millicores(), gpus);
        memoryPerGpu = least(memoryPerGpu, node.memory().bytes(), gpus);
      }
      for (Gpu gpu : node.gpus()) {
        deviceMemory.merge(gpu.model(), gpu.memory(), NodeParts::larger);
      }
    }
  }

  /** The models that the job may get: those it allows, or all there are. */
  List<GpuModel> models(JobSpec job) {
    return job.gpuModels().isEmpty() ? List.copyOf(deviceMemory.keySet()) : job.gpuModels();
  }

  /** The narrowest level that can hold {@code gpus} GPUs: the node or the widest. */
  String levelOf(int gpus) {
    return gpus <= mostGpus ? ClusterTopology.NODE : widestLevel;
  }

  /** Where a job runs; nothing if not on GPUs of one model. */
  Optional<GpuSpread> spread(Placement placement) {
    return GpuSpread.of(placement, topology);
  }

  /** The device memory of the largest GPU of a model; nothing if there is none. */
  Memory deviceMemory(GpuModel model) {
    return deviceMemory.getOrDefault(model, Memory.ZERO);
  }

  /** The cores of the node that go with one GPU, in thousandths; infinite if without limit. */
  double milliCoresPerGpu() {
    return milliCoresPerGpu;
  }

  /** The host memory that goes with one GPU, in bytes; infinite if without limit. */
  double memoryPerGpu() {
    return memoryPerGpu;
  }

  private static double least(double least, long amount, int gpus) {
    return amount == Long.MAX_VALUE ? least : Math.min(least, (double) amount / gpus);
  }

  private static Memory larger(Memory left, Memory right) {
    return left.compareTo(right) >= 0 ? left : right;
  }
}
