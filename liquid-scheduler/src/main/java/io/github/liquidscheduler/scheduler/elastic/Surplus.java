package io.github.liquidscheduler.scheduler.elastic;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.placement.eviction.NodeSet;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.resize.Resizing;
import java.util.List;
import java.util.Optional;

/**
 * Tasks that a running job can give up.
 *
 * @param job the job
 * @param given the tasks that go
 * @param nodes what they hold
 * @param kept where it runs without them, if that depends on nothing else that it gives up
 */
public record Surplus(JobEntry job, Placement given, NodeSet nodes, Optional<Placement> kept)
    implements EvictionSearch.Candidate {

  /** Returns what the job gives up if it keeps what it has of {@code kept}, if there is any. */
  public static Optional<Surplus> of(JobEntry job, Placement kept, ClusterTopology topology) {
    return Resizing.of(job.placement().orElseThrow(), kept)
        .leaving()
        .map(given -> new Surplus(job, given, new NodeSet(given, topology), Optional.of(kept)));
  }

  /** Returns some tasks of a job, which may give up others as well. */
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
    cluster.giveUp(given);
  }

  @Override
  public void comeBack(ClusterState cluster, boolean whatTheySend) {
    cluster.takeBack(given);
  }
}
