package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The nodes on which a task of a job might go if there were room. */
final class HelpfulNodes {

  private final ClusterState cluster;
  private final List<GpuModel> models;
  private final @Nullable BitSet allowed;

  HelpfulNodes(ClusterState cluster, JobSpec job) {
    this.cluster = cluster;
    models = job.gpus() == 0 ? List.of() : job.gpuModels();
    allowed = cluster.index().nodesAllowedTo(job);
  }

  /** Returns whether a running job is on one of them. */
  boolean touch(JobEntry running) {
    return running.nodes(cluster.topology()).anyMatch(this::mayHelp);
  }

  private boolean mayHelp(int node) {
    return cluster.index().health(node) == NodeHealth.UP
        && (allowed == null || allowed.get(node))
        && (models.isEmpty() || hasModel(node));
  }

  private boolean hasModel(int position) {
    for (Gpu gpu : cluster.topology().nodes().get(position).gpus()) {
      if (models.contains(gpu.model())) {
        return true;
      }
    }
    return false;
  }
}
