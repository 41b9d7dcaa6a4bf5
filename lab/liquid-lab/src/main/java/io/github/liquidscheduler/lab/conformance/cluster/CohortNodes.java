package io.github.liquidscheduler.lab.conformance.cluster;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.lab.conformance.peer.Facts;
import java.util.List;
import java.util.Map;

/** The nodes on which jobs of queues in cohorts run. */
interface CohortNodes {

  /** Returns the nodes of a case: those that it states, or else one that holds all quotas. */
  static CohortNodes of(Facts facts, List<Facts> running) {
    return facts.has("nodes") ? new StatedNodes(facts, running) : new OneNode(facts, running);
  }

  /** Returns the cluster of them. */
  ClusterTopology cluster();

  /** Returns the nodes that take nothing new, and leave once who runs there does. */
  List<NodeId> gone();

  /** Returns the job that a case states, which runs. */
  JobSpec running(Facts job);

  /** Returns the job that a case states, which waits. */
  JobSpec waiting(Facts job);

  /** Returns where it runs; it takes the next GPUs. */
  Placement placement(JobSpec job, Facts stated);

  /** Returns where a job starts, in the form of a case: nothing where all nodes are one. */
  Map<String, Object> written(Placement placement);
}
