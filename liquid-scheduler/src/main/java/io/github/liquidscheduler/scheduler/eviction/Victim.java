package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.placement.eviction.NodeSet;
import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduler.quota.HypotheticalUsage;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import io.github.liquidscheduler.scheduling.ReclaimRule;
import java.util.Optional;

/**
 * Something that a running job may lose for one that waits. While it is imagined gone its queue
 * holds less.
 *
 * @param lost what is lost
 * @param queue the queue that holds it
 * @param charge how much that is
 * @param rule by which rule another queue takes it; empty if it is the queue of the winner
 * @param use what queues use while victims are gone
 */
record Victim(
    EvictionSearch.Candidate lost,
    QueueAccount queue,
    Charge charge,
    Optional<ReclaimRule> rule,
    HypotheticalUsage use)
    implements EvictionSearch.Candidate {

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
    use.hold(queue, charge, -1);
    lost.leave(cluster, whatTheySend);
  }

  @Override
  public void comeBack(ClusterState cluster, boolean whatTheySend) {
    lost.comeBack(cluster, whatTheySend);
    use.hold(queue, charge, 1);
  }
}
