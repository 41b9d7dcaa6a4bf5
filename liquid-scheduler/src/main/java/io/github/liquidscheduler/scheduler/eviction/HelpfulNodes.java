package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.quota.LossCache;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The nodes on which released capacity may be of use to a job. */
final class HelpfulNodes {

  private final ClusterState cluster;
  private final List<GpuModel> models;
  private final @Nullable BitSet allowed;
  private final boolean[] pools;
  private final boolean areAll;

  HelpfulNodes(ClusterState cluster, JobSpec job) {
    this.cluster = cluster;
    models = job.gpus() == 0 ? List.of() : job.gpuModels();
    allowed = cluster.index().nodesAllowedTo(job);
    List<GpuPool> all = cluster.index().pools();
    areAll = areAll(cluster, job);
    pools = new boolean[models.isEmpty() ? 0 : all.size()];
    for (int pool = 0; pool < pools.length; pool++) {
      pools[pool] = all.get(pool).isAllowedTo(job);
    }
  }

  /** Returns the rule that selects the nodes, valid until a node changes. */
  static LossCache.NodeFilter rule(JobSpec job) {
    Map<String, String> labels =
        job.roles().size() == 1 ? job.nodeLabels(job.roles().getFirst()) : job.nodeLabels();
    List<GpuModel> models = job.gpus() == 0 ? List.of() : job.gpuModels();
    return new LossCache.NodeFilter(models, labels, job.excludedNodes(), false);
  }

  /** Returns true if every node with running jobs is selected; O(1). */
  static boolean areAll(ClusterState cluster, JobSpec job) {
    LossCache.NodeFilter rule = rule(job);
    return rule.models().isEmpty()
        && rule.labels().isEmpty()
        && rule.excluded().isEmpty()
        && !cluster.index().isAnyDraining();
  }

  /** Returns true if a running job is on a selected node. */
  boolean touch(JobEntry running) {
    return areAll || running.nodes(cluster.topology()).anyMatch(this::mayHelp);
  }

  private boolean mayHelp(int node) {
    return (allowed == null || allowed.get(node))
        && (models.isEmpty()
            ? cluster.index().health(node) == NodeHealth.UP
            : cluster.index().freeGpus(node, pools) >= 0);
  }
}
