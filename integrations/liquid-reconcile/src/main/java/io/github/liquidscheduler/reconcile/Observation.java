package io.github.liquidscheduler.reconcile;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.AdvanceReservation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * All that a manager has at one moment.
 *
 * @param begun the stopwatch, in nanoseconds, before the manager was asked: what was commanded
 *     after it may be missing
 * @param epoch which life of the manager this is, such as its boot time; another after it was
 *     restarted and may have forgotten something
 * @param cluster the nodes that the manager has, whatever their state, and how they are connected
 * @param conditions the condition of each node
 * @param jobs the jobs, in the manager's order, each once; those that ended while the manager still
 *     shows them
 * @param maintenance when operators have nodes of the cluster for themselves, each by its own id
 */
public record Observation(
    long begun,
    String epoch,
    ClusterTopology cluster,
    Map<NodeId, NodeCondition> conditions,
    List<ObservedJob> jobs,
    List<AdvanceReservation.Maintenance> maintenance) {

  /** Makes one without maintenance. */
  public Observation(
      long begun,
      String epoch,
      ClusterTopology cluster,
      Map<NodeId, NodeCondition> conditions,
      List<ObservedJob> jobs) {
    this(begun, epoch, cluster, conditions, jobs, List.of());
  }

  /**
   * Checks that the parts fit together.
   *
   * @throws IllegalArgumentException if a node of the cluster has no condition, or a condition no
   *     node, or a job is there twice
   */
  public Observation {
    Objects.requireNonNull(epoch, "epoch");
    conditions = Map.copyOf(conditions);
    jobs = List.copyOf(jobs);
    maintenance = List.copyOf(maintenance);
    if (conditions.size() != cluster.nodes().size()
        || !cluster.nodes().stream().map(node -> node.id()).allMatch(conditions::containsKey)) {
      throw new IllegalArgumentException(
          "each node must have a condition, but there are %d nodes and these conditions: %s"
              .formatted(cluster.nodes().size(), conditions));
    }
    Map<JobId, ObservedJob> seen = new HashMap<>();
    for (ObservedJob job : jobs) {
      if (seen.put(job.id(), job) != null) {
        throw new IllegalArgumentException(
            "a job must be observed once, but '%s' is there twice".formatted(job.id()));
      }
    }
  }
}
