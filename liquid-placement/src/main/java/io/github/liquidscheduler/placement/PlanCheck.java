package io.github.liquidscheduler.placement;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.scheduling.BatchPlan;
import io.github.liquidscheduler.scheduling.Migration;
import org.jspecify.annotations.Nullable;

/**
 * Refuses batch plans that were wrong from the start. A plan that has only been overtaken by events
 * passes: what it says of jobs that are over, or of room that is taken by now, is not looked at.
 */
final class PlanCheck {

  private final JobTable table;

  PlanCheck(JobTable table) {
    this.table = table;
  }

  /**
   * Checks a plan.
   *
   * @param requests how many plans have been requested so far
   * @throws IllegalArgumentException if it answers a request that was never made, names a node or
   *     GPU that the cluster does not have, places a job otherwise than it asks, or moves one that
   *     must not be stopped
   */
  void require(BatchPlan plan, long requests) {
    if (plan.request() < 1 || plan.request() > requests) {
      throw new IllegalArgumentException(
          "a plan must answer one of the %d requests made, but answers number %d"
              .formatted(requests, plan.request()));
    }
    plan.starts().forEach(this::require);
    plan.migrations().forEach(this::require);
  }

  private void require(Migration migration) {
    require(migration.to());
    @Nullable JobEntry job = table.find(migration.job());
    if (job != null && !job.job().isPreemptible()) {
      throw new IllegalArgumentException(
          "a plan must not move a job that must not be stopped, but moves '%s'"
              .formatted(job.id()));
    }
  }

  private void require(Placement place) {
    ClusterTopology topology = table.cluster().topology();
    place.tasks().forEach(task -> requireThere(topology, task, place));
    @Nullable JobEntry job = table.find(place.job());
    if (job != null) {
      new PlacementRules(topology, job.job())
          .brokenBy(place)
          .ifPresent(
              rule -> {
                throw new IllegalArgumentException(
                    "a plan must place a job as it asks, but %s, for %s".formatted(rule, place));
              });
    }
  }

  private static void requireThere(ClusterTopology topology, TaskPlacement task, Placement place) {
    boolean there =
        topology.contains(task.node())
            && task.gpus().stream().allMatch(gpu -> topology.contains(new GpuId(task.node(), gpu)));
    if (!there) {
      throw new IllegalArgumentException(
          "a plan must use nodes and GPUs of the cluster, but task %s does not, for job '%s'"
              .formatted(task, place.job()));
    }
  }
}
