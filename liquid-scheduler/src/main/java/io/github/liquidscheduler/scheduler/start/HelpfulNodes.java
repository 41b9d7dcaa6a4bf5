package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The nodes on which a task of a job might go if there were room. */
final class HelpfulNodes {

  private final ClusterState cluster;
  private final JobSpec job;
  private final @Nullable BitSet allowed;

  HelpfulNodes(ClusterState cluster, JobSpec job) {
    this.cluster = cluster;
    this.job = job;
    allowed = cluster.index().nodesAllowedTo(job);
  }

  /** Returns whether a running job is on one of them. */
  boolean touch(JobEntry running) {
    return running.placement().orElseThrow().nodes().stream().anyMatch(this::mayHelp);
  }

  private boolean mayHelp(NodeId id) {
    return cluster.health(id) == NodeHealth.UP
        && (allowed == null || allowed.get(cluster.topology().position(id)))
        && (job.gpus() == 0 || job.gpuModels().isEmpty() || hasModel(id));
  }

  private boolean hasModel(NodeId id) {
    Node node = cluster.topology().node(id);
    return node.gpus().stream().anyMatch(gpu -> job.gpuModels().contains(gpu.model()));
  }
}
