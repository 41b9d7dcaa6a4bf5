package io.github.liquidscheduler.placement;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The nodes and GPUs that are not wholly there, in the order in which they left. */
final class Outages {

  private final ClusterState cluster;
  private final Set<NodeId> draining = new LinkedHashSet<>();
  private final Set<NodeId> lostNodes = new LinkedHashSet<>();
  private final Set<GpuId> lostGpus = new LinkedHashSet<>();

  Outages(ClusterState cluster) {
    this.cluster = cluster;
  }

  void drain(NodeId node) {
    draining.add(node);
    cluster.setHealth(node, NodeHealth.DRAINING);
  }

  void lose(NodeId node) {
    draining.remove(node);
    lostNodes.add(node);
    cluster.setHealth(node, NodeHealth.LOST);
  }

  void giveBack(NodeId node) {
    draining.remove(node);
    lostNodes.remove(node);
    cluster.setHealth(node, NodeHealth.UP);
  }

  void lose(GpuId gpu) {
    lostGpus.add(gpu);
    cluster.lose(gpu);
  }

  void giveBack(GpuId gpu) {
    lostGpus.remove(gpu);
    cluster.restore(gpu);
  }

  List<NodeId> draining() {
    return List.copyOf(draining);
  }

  List<NodeId> lostNodes() {
    return List.copyOf(lostNodes);
  }

  List<GpuId> lostGpus() {
    return List.copyOf(lostGpus);
  }
}
