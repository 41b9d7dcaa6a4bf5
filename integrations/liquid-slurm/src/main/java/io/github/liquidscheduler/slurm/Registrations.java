package io.github.liquidscheduler.slurm;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.reconcile.NodeCondition;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Which nodes have just registered. Such a node ends what it should not run, and refuses for that
 * second to launch the same jobs again: Slurm would take them for failed. Not thread-safe.
 */
final class Registrations {

  private static final long SETTLES_NANOS = Duration.ofSeconds(2).toNanos();

  private final Map<NodeId, Long> awayAt = new HashMap<>();

  /**
   * Returns the conditions of a look, in which a node that has just registered is not known yet.
   */
  Map<NodeId, NodeCondition> settled(Map<NodeId, NodeCondition> conditions, long at) {
    Map<NodeId, NodeCondition> settled = new HashMap<>(conditions);
    awayAt.keySet().retainAll(conditions.keySet());
    conditions.forEach(
        (node, condition) -> {
          if (condition == NodeCondition.DOWN || condition == NodeCondition.SUSPECT) {
            awayAt.put(node, at);
          } else if (awayAt.containsKey(node) && at - awayAt.get(node) < SETTLES_NANOS) {
            settled.put(node, NodeCondition.SUSPECT);
          } else {
            awayAt.remove(node);
          }
        });
    return settled;
  }
}
