package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.window.PlanCheck;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.JobStatus.Outcome;
import io.github.liquidscheduler.scheduling.StaleEventException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Refuses events that cannot have happened, before anything changes. */
final class EventCheck {

  private final JobTable table;
  private final PlanCheck plans;

  EventCheck(JobTable table) {
    this.table = table;
    plans = new PlanCheck(table);
  }

  /**
   * Checks an event against the present state.
   *
   * @throws IllegalArgumentException if it is too early, names a job, node or GPU that is not there
   *     or not in the state that the event implies, or is a plan that can never have been right
   */
  void require(ClusterEvent event) {
    requireInOrder(event);
    switch (event) {
      case ClusterEvent.JobSubmitted submitted -> {
        requireNew(submitted.job());
        SupportedJobs.require(submitted.spec());
      }
      case ClusterEvent.JobUpdated updated -> {
        requireWaiting(updated.job());
        SupportedJobs.require(updated.spec());
      }
      case ClusterEvent.JobFinished finished -> requireRunning(finished.job(), "finish");
      case ClusterEvent.JobFailed failed -> {
        requireRunning(failed.job(), "fail");
        failed.updated().ifPresent(SupportedJobs::require);
      }
      case ClusterEvent.JobProgressed progressed ->
          requireRunning(progressed.job(), "report progress");
      case ClusterEvent.JobCancelled cancelled -> requireLive(cancelled.job());
      case ClusterEvent.NodeLost lost ->
          requireHealth(lost.node(), "get lost", NodeHealth.UP, NodeHealth.DRAINING);
      case ClusterEvent.NodeDraining draining ->
          requireHealth(draining.node(), "start to drain", NodeHealth.UP);
      case ClusterEvent.NodeReturned returned ->
          requireHealth(returned.node(), "return", NodeHealth.DRAINING, NodeHealth.LOST);
      case ClusterEvent.GpuLost lost -> requireGpu(lost.gpu(), false);
      case ClusterEvent.GpuReturned returned -> requireGpu(returned.gpu(), true);
      case ClusterEvent.PlanProposed proposed -> plans.require(proposed.plan());
      case ClusterEvent.TimePassed passed -> {
        // Its time is all there is to it.
      }
    }
  }

  private void requireInOrder(ClusterEvent event) {
    if (event.at().isBefore(table.now())) {
      throw new IllegalArgumentException(
          "events must come in the order of their times, but %s at %s came after one at %s"
              .formatted(event.getClass().getSimpleName(), event.at(), table.now()));
    }
  }

  private void requireNew(JobId job) {
    state(job)
        .ifPresent(
            state -> {
              throw new IllegalArgumentException(
                  "a submitted job must have a new id, but job '%s' %s".formatted(job, state));
            });
  }

  private void requireRunning(JobId job, String verb) {
    @Nullable JobEntry entry = table.find(job);
    if (entry == null || !entry.isRunning()) {
      String message =
          "only a running job can %s, but job '%s' %s".formatted(verb, job, stateOrUnknown(job));
      throw hasRun(job, entry)
          ? new StaleEventException(job, message)
          : new IllegalArgumentException(message);
    }
  }

  private void requireWaiting(JobId job) {
    @Nullable JobEntry entry = table.find(job);
    if (entry == null || entry.isRunning()) {
      throw new IllegalArgumentException(
          "only a waiting job can be updated, but job '%s' %s".formatted(job, stateOrUnknown(job)));
    }
  }

  private void requireLive(JobId job) {
    if (table.find(job) == null) {
      String message =
          "only a waiting or running job can be cancelled, but job '%s' %s"
              .formatted(job, stateOrUnknown(job));
      throw hasRun(job, null)
          ? new StaleEventException(job, message)
          : new IllegalArgumentException(message);
    }
  }

  /**
   * Returns whether the job may have run, as far as is remembered: it ran and waits, or is over.
   */
  private boolean hasRun(JobId job, @Nullable JobEntry waiting) {
    return waiting == null
        ? table.ended().ending(job).filter(how -> how != Outcome.REJECTED).isPresent()
        : waiting.hasRun();
  }

  private String stateOrUnknown(JobId job) {
    return state(job).orElse("is not known: it was never submitted, or is over and forgotten");
  }

  private Optional<String> state(JobId job) {
    @Nullable JobEntry entry = table.find(job);
    return entry == null
        ? table.ended().ending(job).map(how -> "is over (" + how + ")")
        : Optional.of(entry.isRunning() ? "runs" : "waits");
  }

  private void requireHealth(NodeId node, String verb, NodeHealth... allowed) {
    if (!topology().contains(node)) {
      throw new IllegalArgumentException(
          "a node that is to %s must be in the cluster, but '%s' is not".formatted(verb, node));
    }
    NodeHealth health = table.cluster().health(node);
    for (NodeHealth each : allowed) {
      if (health == each) {
        return;
      }
    }
    throw new IllegalArgumentException(
        "only a node that is %s can %s, but node '%s' is %s"
            .formatted(names(allowed), verb, node, health));
  }

  private void requireGpu(GpuId gpu, boolean lost) {
    String verb = lost ? "return" : "get lost";
    if (!topology().contains(gpu)) {
      throw new IllegalArgumentException(
          "a GPU that is to %s must be in the cluster, but '%s' is not".formatted(verb, gpu));
    }
    if (table.cluster().isLost(gpu) != lost) {
      throw new IllegalArgumentException(
          "only a GPU that is %s can %s, but GPU '%s' is %s"
              .formatted(lost ? "lost" : "there", verb, gpu, lost ? "there" : "lost already"));
    }
  }

  private ClusterTopology topology() {
    return table.cluster().topology();
  }

  private static String names(NodeHealth... healths) {
    StringBuilder names = new StringBuilder();
    for (NodeHealth health : healths) {
      names.append(names.isEmpty() ? "" : " or ").append(health);
    }
    return names.toString();
  }
}
