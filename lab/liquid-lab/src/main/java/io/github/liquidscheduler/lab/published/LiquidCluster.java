package io.github.liquidscheduler.lab.published;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;

/** The two kinds of nodes on which Liquid was evaluated. All nodes hang on one switch. */
public enum LiquidCluster {
  /** The local cluster: four K80 a node, 24 cores, 188 GB, 10 Gbit/s; 12 GB/s of PCIe assumed. */
  K80("K80", 4, 11, 24, 188, 10),
  /** The cloud: two T4 a node, 48 cores, 186 GB, 15 Gbit/s; 12 GB/s of PCIe assumed. */
  T4("T4", 2, 15, 48, 186, 15);

  private final String gpu;
  private final int gpusPerNode;
  private final int gpuGib;
  private final int cores;
  private final int gib;
  private final int gigabits;

  LiquidCluster(String gpu, int gpusPerNode, int gpuGib, int cores, int gib, int gigabits) {
    this.gpu = gpu;
    this.gpusPerNode = gpusPerNode;
    this.gpuGib = gpuGib;
    this.cores = cores;
    this.gib = gib;
    this.gigabits = gigabits;
  }

  /** Returns the GPUs of a node. */
  public int gpusPerNode() {
    return gpusPerNode;
  }

  /** Returns a cluster of {@code nodes} of these nodes. */
  public ClusterTopology topology(int nodes) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int number = 1; number <= nodes; number++) {
      cluster.node(node(number, gpusPerNode));
    }
    return cluster.build();
  }

  /** Returns one such node, of which only {@code gpus} GPUs may be used. */
  public ClusterTopology part(int gpus) {
    return ClusterTopology.builder().node(node(1, gpus)).build();
  }

  /** Returns the model of the GPUs. */
  public GpuModel model() {
    return GpuModel.of(gpu);
  }

  private Node node(int number, int gpus) {
    return Node.builder("node-" + number)
        .gpus(gpus, model(), Memory.ofGib(gpuGib))
        .cpu(CpuCores.of(cores))
        .memory(Memory.ofGib(gib))
        .nic(Link.of(Bandwidth.ofGigabitsPerSecond(gigabits)))
        .nvlink(Bandwidth.ofGigabytesPerSecond(12))
        .build();
  }
}
