package io.github.liquidscheduler.scheduler.elastic;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.makeroom.MakeRoom;
import io.github.liquidscheduler.placement.makeroom.NodeSet;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.resize.Resizing;
import java.util.Optional;

/**
 * What a running job can give up.
 *
 * @param job the job
 * @param kept where it runs without it
 * @param given the tasks that go
 * @param nodes what they hold
 */
public record Surplus(JobEntry job, Placement kept, Placement given, NodeSet nodes)
    implements MakeRoom.Candidate {

  /** Returns what the job gives up if it keeps what it has of {@code kept}, if there is any. */
  public static Optional<Surplus> of(JobEntry job, Placement kept, ClusterTopology topology) {
    return Resizing.of(job.placement().orElseThrow(), kept)
        .leaving()
        .map(given -> new Surplus(job, kept, given, new NodeSet(given, topology)));
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
