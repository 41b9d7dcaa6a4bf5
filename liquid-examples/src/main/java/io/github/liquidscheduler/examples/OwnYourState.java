package io.github.liquidscheduler.examples;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.LiveCluster;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.List;

/** Places jobs for a platform with a job order and a state of its own. */
public final class OwnYourState {
  private final LiveCluster cluster;
  private final Placer placer = Placers.bestFit();

  /** Begins with a cluster on which nothing runs. */
  public OwnYourState(ClusterTopology topology) {
    cluster = LiveCluster.of(topology);
  }

  /** Starts a job if it fits now; returns the constraints that it violates, or nothing. */
  public List<UnmetConstraint> submit(JobSpec job) {
    return placer
        .place(cluster.view(), job)
        .map(
            placement -> {
              cluster.start(job, placement);
              return List.<UnmetConstraint>of();
            })
        .orElseGet(() -> placer.unmetConstraints(cluster.view(), job));
  }

  /** Frees what a job holds. */
  public void finished(JobId job) {
    cluster.stop(job);
  }

  /** Places nothing more on a node. */
  public void drain(NodeId node) {
    cluster.setHealth(node, NodeHealth.DRAINING);
  }
}
