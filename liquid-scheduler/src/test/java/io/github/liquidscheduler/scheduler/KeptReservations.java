package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.JobOrders;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What is reserved for waiting jobs before an event, from after then on, and whether a start comes
 * later for no reason: only where an event takes capacity away, a job outlives what was told of it,
 * or a job that comes before takes something.
 */
final class KeptReservations {

  private final Map<JobId, Instant> starts = new LinkedHashMap<>();
  private final Map<JobId, Integer> turns = new HashMap<>();
  private final Map<JobId, Instant> ends = new LinkedHashMap<>();
  private final Optional<Instant> wakeUp;
  private final Set<JobId> running = new TreeSet<>();

  private KeptReservations(LiquidScheduler scheduler) {
    wakeUp = scheduler.nextWakeUp();
    JobTable jobs = scheduler.state().jobs();
    scheduler
        .reservedStarts()
        .forEach(
            (job, start) -> {
              if (start.isAfter(jobs.now())) {
                starts.put(job, start);
              }
            });
    List<JobEntry> waiting = new ArrayList<>(jobs.allWaiting());
    waiting.sort(JobOrders.TURN);
    waiting.forEach(job -> turns.put(job.id(), turns.size()));
    for (JobEntry job : jobs.running().inOrder()) {
      running.add(job.id());
      (job.isStarting() ? GpuTime.after(job.knownAt(), Duration.ofNanos(1)) : end(job))
          .ifPresent(end -> ends.put(job.id(), end));
    }
  }

  /** Returns the end of a running job as reservations count on it: its size does not matter. */
  private static Optional<Instant> end(JobEntry job) {
    Instant from = job.knownAt();
    return job.at(from)
        .remaining()
        .flatMap(left -> GpuTime.after(from, GpuTime.divided(left, job.speed().gpu())));
  }

  /** Returns the reservations before an event. */
  static KeptReservations of(LiquidScheduler scheduler) {
    return new KeptReservations(scheduler);
  }

  /** Checks that no start comes later for the sake of a job behind. */
  void require(ClusterEvent event, List<Decision> decisions, LiquidScheduler scheduler) {
    boolean isLate = wakeUp.filter(event.at()::isAfter).isPresent();
    if (starts.isEmpty() || isLate || mayTakeAway(event) || isAnyOutlived(event.at())) {
      return;
    }
    Map<JobId, Instant> now = scheduler.reservedStarts();
    starts.forEach(
        (job, start) -> {
          @Nullable Instant then = now.get(job);
          if (then != null && (then.isAfter(start) || isMissed(then, event.at(), scheduler))) {
            assertThat(winners(decisions, now))
                .as("who comes before %s, to start at %s and now at %s", job, start, then)
                .anyMatch(other -> isBefore(other, job, scheduler));
          }
        });
  }

  /** Returns true if a start is due that the scheduler has not decided, nor is about to. */
  private static boolean isMissed(Instant start, Instant now, LiquidScheduler scheduler) {
    return !start.isAfter(now) && scheduler.nextWakeUp().filter(now::equals).isEmpty();
  }

  private static boolean mayTakeAway(ClusterEvent event) {
    return switch (event) {
      case ClusterEvent.JobSubmitted e -> false;
      case ClusterEvent.JobFinished e -> false;
      case ClusterEvent.JobCancelled e -> false;
      case ClusterEvent.JobStopped e -> false;
      case ClusterEvent.TimePassed e -> false;
      default -> true;
    };
  }

  /** Returns true if a job has begun later or run longer than was told, or nothing was told. */
  private boolean isAnyOutlived(Instant now) {
    return running.stream()
        .anyMatch(
            job -> Optional.ofNullable(ends.get(job)).filter(end -> end.isAfter(now)).isEmpty());
  }

  /** Returns the jobs for which something was decided, or to which something was promised. */
  private Set<JobId> winners(List<Decision> decisions, Map<JobId, Instant> now) {
    Set<JobId> winners = new TreeSet<>();
    for (Decision decision : decisions) {
      switch (decision) {
        case Decision.Start start -> winners.add(start.job());
        case Decision.Migrate move when move.why() instanceof Reason.MadeWay way ->
            winners.add(way.winner());
        case Decision.Resize resize when resize.why() instanceof Reason.MadeSmaller way ->
            winners.add(way.winner());
        default -> {}
      }
    }
    now.forEach(
        (job, start) -> {
          if (!start.equals(starts.get(job))) {
            winners.add(job);
          }
        });
    return winners;
  }

  /**
   * Returns true if a job may have come before another when it was asked about. Queues change
   * places with each start, and where the remaining time is the rank, running jobs have another.
   */
  private boolean isBefore(JobId one, JobId other, LiquidScheduler scheduler) {
    JobTable jobs = scheduler.state().jobs();
    JobEntry later = jobs.get(other);
    @Nullable Integer turn = turns.get(one);
    @Nullable JobEntry entry = jobs.find(one);
    boolean areQueuesOrdered =
        jobs.quotas().hasQueueTree() || jobs.policy().queueOrder().isPresent();
    return !one.equals(other)
        && ((turn != null && turn < turns.getOrDefault(other, 0))
            || (entry != null
                && (JobOrders.TURN.compare(entry, later) < 0
                    || (turn == null && jobs.policy().isRemainingTime())
                    || (areQueuesOrdered && !entry.job().queue().equals(later.job().queue())))));
  }
}
