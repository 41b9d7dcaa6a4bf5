package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.placement.eviction.NodeSet;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import io.github.liquidscheduler.scheduling.ReclaimRule;
import java.util.Optional;

/**
 * A unit that a running job may lose. While it is removed, its queue uses less.
 *
 * @param lost the unit
 * @param charge its charge
 * @param rule the rule under which another queue takes it; empty for the winner's own queue
 * @param use the usage, kept current
 */
record Victim(EvictionSearch.Candidate lost, Charge charge, Optional<ReclaimRule> rule, Usage use)
    implements EvictionSearch.Candidate {

  /** The usage of queues. */
  @FunctionalInterface
  interface Usage {
    /** Adds {@code times} times a charge to the usage of a queue. */
    void hold(QueueAccount queue, Charge charge, int times);
  }

  /** Returns the job that loses. */
  JobEntry job() {
    return ResourceLoss.job(lost);
  }

  /** Returns the queue that loses. */
  QueueAccount queue() {
    return job().account();
  }

  @Override
  public JobId id() {
    return lost.id();
  }

  @Override
  public NodeSet nodes(ClusterTopology topology) {
    return lost.nodes(topology);
  }

  @Override
  public void leave(ClusterState cluster, boolean whatTheySend) {
    use.hold(queue(), charge, -1);
    lost.leave(cluster, whatTheySend);
  }

  @Override
  public void comeBack(ClusterState cluster, boolean whatTheySend) {
    lost.comeBack(cluster, whatTheySend);
    use.hold(queue(), charge, 1);
  }
}
