package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The nodes and GPUs that are not wholly there, in the order in which they left. */
public final class NodeFailures {

  private final ClusterState cluster;
  private final Set<NodeId> draining = new LinkedHashSet<>();
  private final Set<NodeId> lostNodes = new LinkedHashSet<>();
  private final Set<GpuId> lostGpus = new LinkedHashSet<>();

  private @Nullable NodeFailures before;

  /** Makes failures of a cluster in which all is there. */
  public NodeFailures(ClusterState cluster) {
    this.cluster = cluster;
  }

  /** Begins a turn, to the failures before which {@link #asBefore} goes back. */
  public void begin() {
    before = null;
  }

  /** Returns the failures as they were when the turn began, on a cluster in which all is there. */
  public NodeFailures asBefore(ClusterState whole) {
    NodeFailures then = before == null ? this : before;
    NodeFailures failed = new NodeFailures(whole);
    then.draining.forEach(failed::drain);
    then.lostNodes.forEach(failed::fail);
    then.lostGpus.forEach(failed::fail);
    return failed;
  }

  private void keep() {
    if (before == null) {
      before = copy(cluster);
    }
  }

  /** Returns failures equal to these of a copy of the cluster, which shows them already. */
  public NodeFailures copy(ClusterState copied) {
    NodeFailures copy = new NodeFailures(copied);
    copy.draining.addAll(draining);
    copy.lostNodes.addAll(lostNodes);
    copy.lostGpus.addAll(lostGpus);
    return copy;
  }

  /** Marks a node as draining: what runs there goes on, and nothing more starts there. */
  public void drain(NodeId node) {
    keep();
    draining.add(node);
    cluster.setHealth(node, NodeHealth.DRAINING);
  }

  /** Marks a node as lost. What ran there is stopped by the caller. */
  public void fail(NodeId node) {
    keep();
    draining.remove(node);
    lostNodes.add(node);
    cluster.setHealth(node, NodeHealth.LOST);
  }

  /** Marks a draining or lost node as up again; those of its GPUs that are lost stay so. */
  public void restore(NodeId node) {
    keep();
    draining.remove(node);
    lostNodes.remove(node);
    cluster.setHealth(node, NodeHealth.UP);
  }

  /** Forgets a node and its GPUs, because the cluster has it no longer. */
  public void forget(NodeId node) {
    keep();
    draining.remove(node);
    lostNodes.remove(node);
    lostGpus.removeIf(gpu -> gpu.node().equals(node));
  }

  /** Marks a GPU as lost. What ran there is stopped by the caller. */
  public void fail(GpuId gpu) {
    keep();
    lostGpus.add(gpu);
    cluster.fail(gpu);
  }

  /** Marks a lost GPU as there again. */
  public void restore(GpuId gpu) {
    keep();
    lostGpus.remove(gpu);
    cluster.restore(gpu);
  }

  /** Returns the draining nodes, the one that has drained longest first. */
  public List<NodeId> draining() {
    return List.copyOf(draining);
  }

  /** Returns the lost nodes, the one lost longest first. */
  public List<NodeId> lostNodes() {
    return List.copyOf(lostNodes);
  }

  /** Returns the GPUs that were lost by themselves, the one lost longest first. */
  public List<GpuId> lostGpus() {
    return List.copyOf(lostGpus);
  }
}
