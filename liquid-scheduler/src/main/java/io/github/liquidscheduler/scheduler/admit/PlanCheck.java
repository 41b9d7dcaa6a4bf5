package io.github.liquidscheduler.scheduler.admit;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.placement.gang.PlacementRules;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Rejects batch plans that were wrong from the start. Outdated plans pass: jobs that ended or were
 * updated, and capacity taken meanwhile, are not checked.
 */
record PlanCheck(JobTable table) {

  /**
   * Checks a plan.
   *
   * @throws IllegalArgumentException if it answers a request that was never made, names a GPU that
   *     its node does not have, places a job otherwise than it asks, or moves one that must not be
   *     stopped
   */
  void require(BatchPlan plan) {
    long requests = table.batched().requests();
    Optional<Instant> awaitedSince = table.batched().awaitedSince(plan);
    if (plan.number() > requests) {
      throw new IllegalArgumentException(
          "a plan must answer one of the requests made, %d so far, or none and have number 0, but answers number %d"
              .formatted(requests, plan.number()));
    }
    for (Placement start : plan.starts()) {
      boolean isAsKnown = awaitedSince.isPresent() && isRequested(start);
      require(start, isAsKnown);
    }
    for (Migration migration : plan.migrations()) {
      boolean isAsKnown = awaitedSince.filter(asked -> ranBefore(migration, asked)).isPresent();
      require(migration, isAsKnown);
    }
  }

  private boolean isRequested(Placement start) {
    @Nullable JobEntry job = table.find(start.job());
    return job != null && table.batched().stage(job) == BatchedJobs.Membership.REQUESTED;
  }

  private boolean ranBefore(Migration migration, Instant asked) {
    @Nullable JobEntry job = table.find(migration.job());
    return job != null && job.isRunning() && job.since().isBefore(asked);
  }

  private void require(Migration migration, boolean isAsKnown) {
    require(migration.to(), isAsKnown);
    @Nullable JobEntry job = table.find(migration.job());
    if (isAsKnown && job != null && !job.job().isPreemptible()) {
      throw new IllegalArgumentException(
          "a plan must not move a job that must not be stopped, but moves '%s'"
              .formatted(job.id()));
    }
  }

  /** Checks a placement. A mismatch with a job that may have been updated since is accepted. */
  private void require(Placement place, boolean isAsKnown) {
    ClusterTopology topology = table.cluster().topology();
    if (!place.nodes().stream().allMatch(topology::contains)) {
      return; // A node has been retired since, and nothing fits there.
    }
    place.tasks().forEach(task -> requireThere(topology, task, place));
    @Nullable JobEntry job = table.find(place.job());
    if (isAsKnown && job != null) {
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
    if (!task.gpuIds().allMatch(topology::contains)) {
      throw new IllegalArgumentException(
          "a plan must use GPUs of the cluster, but task %s does not, for job '%s'"
              .formatted(task, place.job()));
    }
  }
}
