package io.github.liquidscheduler.simulator.failure;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Follows a failure script and refuses an event that cannot happen. */
final class ScriptCheck {

  private final ClusterTopology topology;
  private final Map<NodeId, NodeHealth> away = new HashMap<>();
  private final Set<GpuId> lostGpus = new HashSet<>();
  private Instant last = Instant.EPOCH;

  ScriptCheck(ClusterTopology topology) {
    this.topology = topology;
  }

  void add(ClusterEvent event) {
    if (event.at().isBefore(last)) {
      throw new IllegalArgumentException(
          "events must be in the order of their times from %s, but %s came after %s"
              .formatted(Instant.EPOCH, event.at(), last));
    }
    boolean changes =
        switch (event) {
          case ClusterEvent.NodeLost lost -> set(lost.node(), NodeHealth.LOST);
          case ClusterEvent.NodeDraining draining -> set(draining.node(), NodeHealth.DRAINING);
          case ClusterEvent.NodeReturned returned -> set(returned.node(), NodeHealth.UP);
          case ClusterEvent.GpuLost lost -> lostGpus.add(known(lost.gpu()));
          case ClusterEvent.GpuReturned returned -> lostGpus.remove(known(returned.gpu()));
          default ->
              throw new IllegalArgumentException(
                  "a failure script is about nodes and GPUs, but had " + event);
        };
    if (!changes) {
      throw new IllegalArgumentException(
          "an event must change something, but the node or GPU is in that state already: " + event);
    }
    last = event.at();
  }

  private boolean set(NodeId node, NodeHealth health) {
    topology.position(node);
    NodeHealth before = away.getOrDefault(node, NodeHealth.UP);
    if (before == NodeHealth.LOST && health == NodeHealth.DRAINING) {
      return false;
    }
    away.put(node, health);
    return before != health;
  }

  private GpuId known(GpuId gpu) {
    topology.gpu(gpu);
    return gpu;
  }
}
