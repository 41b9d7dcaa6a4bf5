package io.github.liquidscheduler.runtime;

import static java.util.stream.Collectors.toSet;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/*
 * Idea: a start, a move or a change of size that waits for others to leave is kept back until the
 * scheduler says that the job no longer waits. What a turn decides about a job whose decision is
 * kept back tells whether that could still be carried out, so it need not be asked what was first.
 * Invariants: at most one decision is kept back for a job; nobody is told to stop what was never
 * told to start; what an event has set free comes before what was decided after it, and who leaves
 * before who comes.
 * Cost: nothing for turns in which nothing waits; else O(decisions + kept back).
 */
/** The decisions that wait for others to leave. Not thread-safe. */
final class HeldDecisions {

  /**
   * A decision that is kept back.
   *
   * @param from where the job runs meanwhile, if it moves
   */
  private record Held(Decision.AboutJob decision, Optional<Placement> from) {
    JobId job() {
      return decision.job();
    }
  }

  private final Map<JobId, Held> held = new LinkedHashMap<>();
  private final Queue<JobId> neverBegan = new ArrayDeque<>();

  /** Keeps back what a scheduler has under way, for one that was restored. */
  HeldDecisions(Scheduler scheduler) {
    for (JobId job : scheduler.view().runningJobs()) {
      scheduler
          .status(job)
          .flatMap(status -> underWay(job, status))
          .ifPresent(decision -> hold(decision, scheduler));
    }
  }

  private static Optional<Decision.AboutJob> underWay(JobId job, JobStatus status) {
    Reason why = new Reason.Restored();
    return Optional.<Decision.AboutJob>ofNullable(
            switch (status) {
              case JobStatus.Starting at ->
                  new Decision.Start(job, at.placement(), why, at.after());
              case JobStatus.Moving at -> new Decision.Migrate(job, at.next(), why, at.after());
              case JobStatus.Resizing at ->
                  new Decision.Resize(job, at.next(), at.number(), why, at.after());
              default -> null;
            })
        .filter(decision -> !after(decision).isEmpty());
  }

  private void hold(Decision.AboutJob decision, Scheduler scheduler) {
    Optional<Placement> from =
        decision instanceof Decision.Migrate
            ? whereRuns(decision.job(), scheduler)
            : Optional.empty();
    held.put(decision.job(), new Held(decision, from));
  }

  /** Returns what may be carried out after a turn, in order. */
  List<Decision> ready(ClusterEvent event, List<Decision> decisions, Scheduler scheduler) {
    event.events().forEach(this::dropAdopted);
    if (held.isEmpty() && decisions.stream().allMatch(decision -> after(decision).isEmpty())) {
      return decisions;
    }
    List<Decision.AboutJob> freed = freed(decisions, scheduler);
    List<Decision> ready = new ArrayList<>();
    for (Decision decision : decisions) {
      if (!(decision instanceof Decision.AboutJob about)) {
        ready.add(decision);
      } else if (!endsHeld(about, scheduler, freed)) {
        if (after(about).isEmpty()) {
          ready.add(about);
        } else {
          hold(about, scheduler);
        }
      }
    }
    return inOrder(freed, ready);
  }

  /** Drops what is kept back for a job that runs already, wherever that is. */
  private void dropAdopted(ClusterEvent event) {
    if (event instanceof ClusterEvent.JobAdopted adopted) {
      held.remove(adopted.job());
    }
  }

  /** Returns the next job that shall stop, but was never told to start: it has stopped. */
  @Nullable JobId nextNeverBegan() {
    return neverBegan.poll();
  }

  /** Takes out what is kept back for jobs of which nothing was decided, and waits no more. */
  private List<Decision.AboutJob> freed(List<Decision> decisions, Scheduler scheduler) {
    Set<JobId> decided = new HashSet<>();
    for (Decision decision : decisions) {
      if (decision instanceof Decision.AboutJob about) {
        decided.add(about.job());
      }
    }
    List<Decision.AboutJob> freed = new ArrayList<>();
    for (Held each : List.copyOf(held.values())) {
      @Nullable JobStatus status = scheduler.status(each.job()).orElse(null);
      if (!decided.contains(each.job()) && !waits(status)) {
        held.remove(each.job());
        if (isUnderWay(each.decision(), status)) {
          freed.add(each.decision());
        }
      }
    }
    return freed;
  }

  /** Returns true if a job still waits for others to leave. */
  private static boolean waits(@Nullable JobStatus status) {
    return status instanceof JobStatus.Starting
        || status instanceof JobStatus.Moving
        || (status instanceof JobStatus.Resizing at && !at.after().isEmpty());
  }

  /** Returns true if a job that waits no more does what was decided, as the scheduler sees it. */
  private static boolean isUnderWay(Decision decision, @Nullable JobStatus status) {
    return switch (decision) {
      case Decision.Start start ->
          status instanceof JobStatus.Running || status instanceof JobStatus.Launching;
      case Decision.Migrate move ->
          status instanceof JobStatus.Running at && at.placement().equals(move.placement());
      case Decision.Resize resize -> status instanceof JobStatus.Resizing;
      default -> false;
    };
  }

  /**
   * Ends what is kept back for a job of which more was decided: it is freed where that implies that
   * it was carried out, else dropped.
   *
   * @return true if there is nothing else to do
   */
  private boolean endsHeld(
      Decision.AboutJob next, Scheduler scheduler, List<Decision.AboutJob> freed) {
    @Nullable Held before = held.remove(next.job());
    if (before == null) {
      return false;
    }
    return switch (before.decision()) {
      case Decision.Start start -> endsStart(start, next, freed);
      case Decision.Migrate move -> endsMove(before, next, scheduler, freed);
      default -> false;
    };
  }

  /** Only a job that has begun is changed, or has a grace period. */
  private boolean endsStart(Decision.Start start, Decision next, List<Decision.AboutJob> freed) {
    if (next instanceof Decision.Preempt stop) {
      if (stop.until().isPresent()) {
        neverBegan.add(start.job());
      }
      return true;
    }
    if (!(next instanceof Decision.Reject)) {
      freed.add(start);
    }
    return false;
  }

  /**
   * A move is taken back by a move to where the job runs; any other change comes after it. A job
   * that is stopped at once leaves both places, so that comes first.
   */
  private static boolean endsMove(
      Held before, Decision.AboutJob next, Scheduler scheduler, List<Decision.AboutJob> freed) {
    Decision.AboutJob move = before.decision();
    return switch (next) {
      case Decision.Migrate to when Optional.of(to.placement()).equals(before.from()) -> true;
      case Decision.Preempt stop when stop.until().isEmpty() -> freed.add(stop);
      case Decision.Preempt stop when whereRuns(next.job(), scheduler).equals(before.from()) ->
          false;
      case Decision.Reject reject -> false;
      default -> {
        freed.add(move);
        yield false;
      }
    };
  }

  private static Optional<Placement> whereRuns(JobId job, Scheduler scheduler) {
    return scheduler
        .status(job)
        .map(
            status ->
                switch (status) {
                  case JobStatus.Moving at -> at.placement();
                  case JobStatus.Stopping at -> at.placement();
                  default -> null;
                });
  }

  /** Puts what was freed first, but behind those that it waited for. */
  private static List<Decision> inOrder(List<Decision.AboutJob> freed, List<Decision> ready) {
    Set<JobId> awaited = freed.stream().flatMap(each -> after(each).stream()).collect(toSet());
    List<Decision> rest = new ArrayList<>(ready);
    List<Decision> sorted = new ArrayList<>();
    for (Decision decision : ready) {
      if (endedBy(decision).filter(awaited::contains).isPresent()) {
        rest.remove(decision);
        sorted.add(decision);
      }
    }
    List<Decision.AboutJob> left = new ArrayList<>(freed);
    while (!left.isEmpty()) {
      Set<JobId> coming = left.stream().map(Decision.AboutJob::job).collect(toSet());
      Decision.AboutJob next =
          left.stream()
              .filter(decision -> Collections.disjoint(after(decision), coming))
              .findFirst()
              .orElseGet(left::getFirst);
      left.remove(next);
      sorted.add(withoutWaiting(next));
    }
    sorted.addAll(rest);
    return sorted;
  }

  /** Returns the job that is gone at once after a decision, if one is. */
  private static Optional<JobId> endedBy(Decision decision) {
    return switch (decision) {
      case Decision.Preempt stop when stop.until().isEmpty() -> Optional.of(stop.job());
      case Decision.Reject reject -> Optional.of(reject.job());
      default -> Optional.empty();
    };
  }

  /** Returns the jobs that have to leave before a decision is carried out. */
  private static List<JobId> after(Decision decision) {
    return switch (decision) {
      case Decision.Start start -> start.after();
      case Decision.Migrate move -> move.after();
      case Decision.Resize resize -> resize.after();
      default -> List.of();
    };
  }

  private static Decision withoutWaiting(Decision decision) {
    return switch (decision) {
      case Decision.Start it -> new Decision.Start(it.job(), it.placement(), it.why());
      case Decision.Migrate it -> new Decision.Migrate(it.job(), it.placement(), it.why());
      case Decision.Resize it ->
          new Decision.Resize(it.job(), it.placement(), it.number(), it.why(), List.of());
      default -> decision;
    };
  }
}
