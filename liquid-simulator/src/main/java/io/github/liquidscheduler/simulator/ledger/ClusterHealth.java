package io.github.liquidscheduler.simulator.ledger;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.util.Arrays;
import java.util.OptionalInt;

/** The health of nodes and GPUs, derived from events. Mutable. */
public final class ClusterHealth {
  private final ClusterTopology topology;
  private final NodeHealth[] nodes;
  private final boolean[] gpuLost;

  /** Makes the books of a cluster of which everything is up. */
  public ClusterHealth(ClusterTopology topology) {
    this.topology = topology;
    nodes = new NodeHealth[topology.nodes().size()];
    Arrays.fill(nodes, NodeHealth.UP);
    gpuLost = new boolean[topology.gpuCount()];
  }

  /**
   * Applies an event.
   *
   * @return the position of the node that it changes; empty if it changes nothing
   * @throws IllegalArgumentException if it is not about a node or GPU, or the cluster has none such
   */
  public OptionalInt apply(ClusterEvent event) {
    return switch (event) {
      case ClusterEvent.NodeLost lost -> set(lost.node(), NodeHealth.LOST);
      case ClusterEvent.NodeDraining draining -> drain(draining.node());
      case ClusterEvent.NodeReturned returned -> set(returned.node(), NodeHealth.UP);
      case ClusterEvent.GpuLost lost -> setLost(lost.gpu(), true);
      case ClusterEvent.GpuReturned returned -> setLost(returned.gpu(), false);
      default ->
          throw new IllegalArgumentException(
              "a failure script is about nodes and GPUs, but had " + event);
    };
  }

  private OptionalInt drain(NodeId node) {
    boolean isUp = of(topology.position(node)) == NodeHealth.UP;
    return isUp ? set(node, NodeHealth.DRAINING) : OptionalInt.empty();
  }

  private OptionalInt set(NodeId node, NodeHealth health) {
    int position = topology.position(node);
    boolean changes = nodes[position] != health;
    nodes[position] = health;
    return changes ? OptionalInt.of(position) : OptionalInt.empty();
  }

  private OptionalInt setLost(GpuId gpu, boolean lost) {
    topology.gpu(gpu);
    int node = topology.position(gpu.node());
    int position = topology.gpusBefore(node) + gpu.index();
    boolean changes = gpuLost[position] != lost;
    gpuLost[position] = lost;
    return changes ? OptionalInt.of(node) : OptionalInt.empty();
  }

  NodeHealth of(int node) {
    return nodes[node];
  }

  boolean isLost(int gpu) {
    return gpuLost[gpu];
  }

  /** Returns true if the node is up and has the task's GPUs, none of them lost. */
  boolean isUp(int node, TaskPlacement task) {
    int before = topology.gpusBefore(node);
    int gpusThere = topology.gpusBefore(node + 1) - before;
    boolean up = nodes[node] == NodeHealth.UP;
    for (int gpu : task.gpus()) {
      up &= gpu < gpusThere && !gpuLost[before + gpu];
    }
    return up;
  }

  /** Returns true if a task of the placement is on something that is gone. */
  boolean isStruck(Placement placement) {
    for (TaskPlacement task : placement.tasks()) {
      int node = topology.position(task.node());
      boolean struck = nodes[node] == NodeHealth.LOST;
      for (int gpu : task.gpus()) {
        struck |= gpuLost[topology.gpusBefore(node) + gpu];
      }
      if (struck) {
        return true;
      }
    }
    return false;
  }
}
