package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.makeroom.MakeRoom;
import io.github.liquidscheduler.placement.makeroom.NodeSet;
import io.github.liquidscheduler.scheduler.queue.JobEntry;

/**
 * Tasks that a running job of several sizes may lose.
 *
 * @param job the job
 * @param given the tasks that go
 * @param nodes what they hold
 * @param isLast whether the job cannot run without them
 */
record TaskCut(JobEntry job, Placement given, NodeSet nodes, boolean isLast)
    implements MakeRoom.Candidate {

  static TaskCut of(JobEntry job, Placement given, ClusterTopology topology, boolean isLast) {
    return new TaskCut(job, given, new NodeSet(given, topology), isLast);
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
