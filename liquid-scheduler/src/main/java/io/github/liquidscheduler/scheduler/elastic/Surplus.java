package io.github.liquidscheduler.scheduler.elastic;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.placement.eviction.NodeSet;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.phase.ResizedTasks;
import java.util.List;
import java.util.Optional;

/**
 * Tasks that a running job can give up.
 *
 * @param job the job
 * @param given the tasks to give up
 * @param nodes the capacity that they hold
 * @param kept the remaining placement; empty if it depends on other surpluses of the job
 */
public record Surplus(JobEntry job, Placement given, NodeSet nodes, Optional<Placement> kept)
    implements EvictionSearch.Candidate {

  /** Returns the surplus of a job that keeps {@code kept}; empty if it gives up nothing. */
  public static Optional<Surplus> of(JobEntry job, Placement kept, ClusterTopology topology) {
    return ResizedTasks.leaving(job.placement().orElseThrow(), Optional.empty(), kept)
        .map(given -> new Surplus(job, given, new NodeSet(given, topology), Optional.of(kept)));
  }

  /** Returns a surplus of some tasks of a job, which may give up others too. */
  public static Surplus some(JobEntry job, List<TaskPlacement> tasks, ClusterTopology topology) {
    Placement given = new Placement(job.id(), tasks);
    return new Surplus(job, given, new NodeSet(given, topology), Optional.empty());
  }

  @Override
  public JobId id() {
    return job.id();
  }

  @Override
  public NodeSet nodes(ClusterTopology topology) {
    return nodes;
  }

  @Override
  public void leave(ClusterState cluster, boolean whatTheySend) {
    cluster.trials().giveUp(given);
  }

  @Override
  public void comeBack(ClusterState cluster, boolean whatTheySend) {
    cluster.trials().takeBack(given);
  }
}
