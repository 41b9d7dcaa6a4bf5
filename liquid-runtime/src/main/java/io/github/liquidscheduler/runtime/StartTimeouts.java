package io.github.liquidscheduler.runtime;

import static java.util.Objects.requireNonNull;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Retry;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Started jobs, and when to look whether they have begun: no later than a time after they could be
 * started. What is known of a job is asked of the scheduler then, so that nothing is kept of ends,
 * stops and further starts. For the deciding thread only.
 */
final class StartTimeouts {

  private final Scheduler scheduler;
  private final @Nullable Duration timeout;
  private final Queue<Look> looks = new PriorityQueue<>(Comparator.comparing(Look::at));
  private final Set<JobId> watched = new HashSet<>();

  private record Look(Instant at, JobId job) {}

  /** Watches the jobs that are launching now; without a timeout no job is ever watched. */
  StartTimeouts(Scheduler scheduler, @Nullable Duration timeout) {
    this.scheduler = scheduler;
    this.timeout = timeout;
    if (timeout != null) {
      Instant now = scheduler.snapshot().now();
      scheduler.view().runningJobs().forEach(job -> watch(job, now));
    }
  }

  static Duration requirePositive(Duration timeout) {
    if (!timeout.isPositive()) {
      throw new IllegalArgumentException(
          "the time in which a start is reported must be positive, but was " + timeout);
    }
    return timeout;
  }

  /** Watches the jobs that were started. */
  void note(List<Decision> decisions, Instant now) {
    if (timeout != null) {
      for (Decision decision : decisions) {
        if (decision instanceof Decision.Start start) {
          watch(start.job(), now);
        }
      }
    }
  }

  /** Returns when to look next. */
  Optional<Instant> next() {
    return Optional.ofNullable(looks.peek()).map(Look::at);
  }

  /** Returns the failure of a job that has not begun in time; empty if there is none now. */
  Optional<ClusterEvent> overdue(Instant now) {
    while (next().filter(at -> !at.isAfter(now)).isPresent()) {
      JobId job = looks.remove().job();
      watched.remove(job);
      Optional<ClusterEvent> failure = overdue(job, now);
      if (failure.isPresent()) {
        return failure;
      }
      watch(job, now);
    }
    return Optional.empty();
  }

  private Optional<ClusterEvent> overdue(JobId job, Instant now) {
    return scheduler
        .status(job)
        .filter(JobStatus.Launching.class::isInstance)
        .map(JobStatus.Launching.class::cast)
        .filter(launching -> !end(launching.since()).isAfter(now))
        .map(
            launching -> {
              NodeId[] nodes = launching.placement().nodes().toArray(NodeId[]::new);
              return new ClusterEvent.JobFailed(
                  now, job, Failure.NOT_STARTED, Retry.now().avoiding(nodes));
            });
  }

  /** Watches a job that has not begun; one that waits for others is launched now or later. */
  private void watch(JobId job, Instant now) {
    @Nullable JobStatus status = scheduler.status(job).orElse(null);
    @Nullable Instant since =
        switch (status) {
          case JobStatus.Launching launching -> launching.since();
          case JobStatus.Starting starting -> now;
          case null, default -> null;
        };
    if (since != null && watched.add(job)) {
      looks.add(new Look(end(since), job));
    }
  }

  private Instant end(Instant since) {
    try {
      return since.plus(requireNonNull(timeout));
    } catch (DateTimeException | ArithmeticException e) {
      return Instant.MAX;
    }
  }
}
