package io.github.liquidscheduler.scheduler.admit;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduler.explain.UnmetConstraints;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.Sighting;
import io.github.liquidscheduler.scheduler.policy.RetryBackoff;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.quota.QuotaExcess;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.JobStatus.Outcome;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.Retry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Retries of failed jobs: delay, excluded nodes, and the end of retries. A job updated after its
 * failure counts as another, so that only the embedder's delay applies.
 */
record Retries(JobTable jobs, Feasibility feasibility, RetryBackoff backoff) {

  /** Notes that a job has stopped, unless its grace period has ended before the report. */
  void stop(JobEntry job, Retry retry) {
    if (job.isStopping()) {
      jobs.runTransitions().stopped(job);
    }
    tryAgain(job, retry.avoiding(), retry.after());
  }

  private void tryAgain(JobEntry job, List<NodeId> avoiding, Duration delay) {
    avoid(job, avoiding);
    jobs.waitingTransitions().delay(job, delay);
  }

  /** Applies a failure of a running, starting or stopping job: it waits again, or ends. */
  void fail(Turn turn, JobEntry job, ClusterEvent.JobFailed event) {
    if (!event.retry().again() || job.history().sighting() == Sighting.FOREIGN) {
      jobs.runTransitions().end(job, Outcome.FAILED);
      return;
    }
    if (job.isRunning()) {
      if (event.failure() != Failure.NOT_STARTED) {
        jobs.runTransitions().begin(job, job.since());
      }
      boolean hasRun = job.hasBegun() && event.failure() != Failure.NOT_STARTED;
      jobs.runTransitions().fail(job, hasRun, backoff.most());
    } else if (job.isStopping()) {
      jobs.runTransitions().stopped(job);
    }
    Duration delay = event.retry().after();
    if (event.updated().isPresent()) {
      update(turn, job, event.updated().get());
    } else if (job.history().failures() >= backoff.failures()) {
      turn.decide(
          new Decision.Reject(job.id(), new Reason.RetriesExhausted(job.history().failures())));
      jobs.runTransitions().end(job, Outcome.FAILED);
    } else {
      Duration least =
          job.history().failures() == 0
              ? Duration.ZERO
              : backoff.after(job.history().failures(), event.failure());
      delay = delay.compareTo(least) < 0 ? least : delay;
    }
    if (jobs.find(job.id()) != null) {
      tryAgain(job, event.retry().avoiding(), delay);
    }
  }

  /** Updates a running job, or a waiting one, which it may reject. */
  void update(Turn turn, JobEntry entry, JobSpec job) {
    if (entry.isRunning()) {
      jobs.runTransitions().update(entry, job);
    } else if (feasibility.admit(turn, job) != null && !isRejectedBeyondQuotas(turn, job)) {
      jobs.waitingTransitions().update(entry, job);
    } else {
      jobs.runTransitions().end(entry, Outcome.REJECTED);
    }
  }

  /** Returns true if a job asks for more than its quotas ever allow; rejects it then. */
  boolean isRejectedBeyondQuotas(Turn turn, JobSpec job) {
    if (!jobs.quotas().rejectsBeyondQuotas()) {
      return false;
    }
    Optional<QuotaExcess> excess = jobs.quotas().admission().excessAlone(job);
    excess
        .map(UnmetConstraints::of)
        .map(unmet -> new Decision.Reject(job.id(), new Reason.Infeasible(List.of(unmet))))
        .ifPresent(turn::decide);
    return excess.isPresent();
  }

  /**
   * Rejects a waiting job that asks for more than its quotas ever allow. One that is stopping still
   * has processes and waits.
   */
  void rejectBeyondQuotas(Turn turn, JobEntry job) {
    if (!job.isStopping() && isRejectedBeyondQuotas(turn, job.job())) {
      jobs.runTransitions().end(job, Outcome.REJECTED);
    }
  }

  /** Excludes nodes for a job, unless the rest of the cluster could not hold it. */
  private void avoid(JobEntry job, List<NodeId> nodes) {
    List<String> names = nodes.stream().map(NodeId::value).toList();
    JobSpec elsewhere = job.job().toBuilder().excludeNodes(names).build();
    if (!names.isEmpty() && feasibility.unmetConstraints(elsewhere).isEmpty()) {
      jobs.waitingTransitions().exclude(job, elsewhere);
    }
  }
}
