package io.github.liquidscheduler.reconcile;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.reconcile.ObservedRequest.Understood;
import io.github.liquidscheduler.reconcile.ObservedState.Ended;
import io.github.liquidscheduler.reconcile.ObservedState.Ending;
import io.github.liquidscheduler.reconcile.ObservedState.Held;
import io.github.liquidscheduler.reconcile.ObservedState.NotYet;
import io.github.liquidscheduler.reconcile.ObservedState.Outcome;
import io.github.liquidscheduler.reconcile.ObservedState.Released;
import io.github.liquidscheduler.reconcile.ObservedState.Running;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Retry;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/*
 * Idea: a table. A row is what the scheduler believes of a job, a column what the manager shows of
 *   it; a cell tells events, or commands, or waits. It is looked at twice in a turn: what it tells
 *   is told, and then what it commands, compared with the state after that, is commanded. There is
 *   no other way to an event or a command, after a start and after a failure either.
 * Invariants: a job is left alone while a command about it is on its way (R1). What has ended does
 *   not begin again under the same attempt (R4). What may have begun under an attempt that the
 *   manager has forgotten is started on the same nodes or given up (R5), and nothing is started
 *   before the manager knows its nodes (R6) or where it shows too few GPUs (R7). A job that is not owned
 *   is never commanded (R12). ReconcileLaws.
 * Cost: O(jobs shown, and jobs known).
 * Rejected: to turn decisions into commands: one that is lost between the journal and the manager
 *   would never be sent again.
 */
/** Compares what a manager shows with the state of a scheduler. Decides nothing. */
final class Pass {

  /** How long a job waits whose start did not happen. */
  private static final Duration AFTER_NO_START = Duration.ofSeconds(30);

  private static final String NOT_AGAIN =
      "it has begun, the cluster manager has forgotten that, and does not start it there again";

  private final Sight sight;
  private final Scheduler scheduler;
  private final Differences found = new Differences();
  private final Telling tell;
  private final Commanding command;

  private Pass(Sight sight, Scheduler scheduler) {
    this.sight = sight;
    this.scheduler = scheduler;
    tell = new Telling(sight, scheduler, found);
    command = new Commanding(sight, scheduler, found);
  }

  /** Returns what is to be told to the scheduler, and to be commanded as it is now. */
  static Differences of(Sight sight, Scheduler scheduler) {
    Pass pass = new Pass(sight, scheduler);
    pass.compare();
    return pass.found;
  }

  private void compare() {
    Set<JobId> shown = new HashSet<>();
    for (ObservedJob job : sight.seen().jobs()) {
      shown.add(job.id());
      compare(job);
    }
    Set<JobId> live = new LinkedHashSet<>(scheduler.waiting());
    live.addAll(scheduler.view().runningJobs());
    for (JobId own : live) {
      JobId job = sight.byOwnId().apply(own);
      if (!sight.note().apply(job).own().equals(own)) {
        tell.replaced(own);
      } else if (!shown.contains(job)) {
        absent(job, own);
      }
    }
    NodeDifferences.find(sight.seen(), scheduler.view(), found);
    NodeDifferences.findMaintenance(sight, scheduler, found);
    command.commandStarts();
  }

  private void compare(ObservedJob seen) {
    if (sight.isTooYoung().test(seen.id())) {
      return;
    }
    JobNote note = sight.note().apply(seen.id());
    if (note.isOfAnother(seen)) {
      // The job of the note is over, and found so by the next pass.
      found.note(JobNote.ofAnother(seen));
      return;
    }
    @Nullable JobStatus status = scheduler.status(note.own()).orElse(null);
    SeenJob job = new SeenJob(note.own(), seen, note, status);
    if (!seen.isOwned()) {
      notOwned(job);
      return;
    }
    boolean isLive = status != null && !(status instanceof JobStatus.Ended);
    if (isLive && note.isOver() && note.hasEnded(seen.attempt())) {
      // Its end was noted, and could not be told yet.
      tell.end(job, note.ended().orElseThrow().how());
      return;
    }
    switch (status) {
      case null -> unknown(job);
      case JobStatus.Waiting at -> waiting(job);
      case JobStatus.Starting at -> waiting(job);
      case JobStatus.Launching at -> starting(job, at);
      case JobStatus.Running at -> running(job, at.placement());
      case JobStatus.Moving at -> running(job, at.placement());
      case JobStatus.Resizing at -> running(job, at.placement());
      case JobStatus.Stopping at -> stopping(job, at);
      case JobStatus.Ended at -> ended(job, at);
    }
  }

  // Rows of the table: what the scheduler believes.

  private void unknown(SeenJob job) {
    if (job.note().ended().isPresent()) {
      ended(job, new JobStatus.Ended(JobStatus.Outcome.FINISHED));
      return;
    }
    switch (job.seen().state()) {
      case NotYet not -> {}
      case Held held -> submit(job, job.own());
      case Released released -> command.hold(job);
      case Running running -> tell.adopt(job, job.own());
      case Ending ending -> tell.adopt(job, job.own());
      case Ended ended -> {}
    }
  }

  private void waiting(SeenJob job) {
    switch (job.seen().state()) {
      case NotYet(String why) -> tell.holdBack(job, why);
      case Held held -> tell.update(job);
      case Released released -> command.hold(job);
      case Running running -> {
        if (job.note().hasBegun(job.seen().attempt())) {
          command.stop(job, Duration.ZERO);
        } else {
          tell.adopt(job, job.own());
        }
      }
      case Ending ending -> {}
      case Ended(Outcome how) ->
          tell.end(
              job,
              how == Outcome.FINISHED && job.note().began().isPresent() ? how : Outcome.CANCELLED);
    }
  }

  private void starting(SeenJob job, JobStatus.Launching at) {
    switch (job.seen().state()) {
      case NotYet(String why) -> {
        tell.holdBack(job, why);
        tell.fail(job, Failure.NOT_STARTED, Retry.now());
      }
      case Held held -> {
        if (sight.isOverdue(at) || sight.isClosed(at.placement())) {
          NodeId[] nodes = at.placement().nodes().toArray(NodeId[]::new);
          tell.fail(job, Failure.NOT_STARTED, Retry.after(AFTER_NO_START).avoiding(nodes));
        } else {
          command.start(job, at.placement());
        }
      }
      case Released(List<NodeId> pinned) -> {
        if (sight.isOverdue(at)
            || sight.isClosed(at.placement())
            || !isPinned(pinned, at.placement())) {
          command.hold(job);
        }
      }
      case Running running when job.isOn(at.placement()) -> {
        tell.begins(job, SeenJob.nodes(at.placement()));
        tell.started(job);
      }
      case Running running -> {
        command.stop(job, Duration.ZERO);
        tell.begins(job, job.seen().on());
        tell.fail(job, Failure.NOT_STARTED, Retry.now());
      }
      case Ending ending -> {}
      case Ended(Outcome how) -> tell.end(job, how);
    }
  }

  private void running(SeenJob job, Placement placement) {
    switch (job.seen().state()) {
      case NotYet(String why) -> {
        tell.holdBack(job, why);
        tell.fail(job, Failure.CRASHED, Retry.now());
      }
      case Held held -> {
        if (!job.hasNewAttempt() && sight.isClosed(placement) && !command.mayRun(job)) {
          tell.fail(job, Failure.CRASHED, Retry.now());
        } else if (!job.hasNewAttempt()) {
          command.startAgain(job, placement);
        } else if (wasMoved(job)) {
          command.start(job, placement);
        } else {
          tell.fail(job, Failure.CRASHED, Retry.now());
        }
      }
      case Released(List<NodeId> pinned) -> {
        if (job.hasNewAttempt()) {
          command.hold(job);
          tell.fail(job, Failure.CRASHED, Retry.now());
        } else if (sight.isClosed(placement) || !isPinned(pinned, placement)) {
          command.hold(job);
        } else if (sight.isLate().test(job.seen().id())) {
          command.giveUp(job, NOT_AGAIN);
        }
      }
      case Running running when job.isOn(placement) -> {
        tell.begins(job, SeenJob.nodes(placement));
        tell.updateRunning(job);
      }
      case Running running -> elsewhere(job);
      case Ending ending -> {}
      case Ended(Outcome how) -> tell.end(job, how);
    }
  }

  private void stopping(SeenJob job, JobStatus.Stopping at) {
    switch (job.seen().state()) {
      case NotYet(String why) -> {
        tell.holdBack(job, why);
        tell.stopped(job);
      }
      case Held held -> tell.stopped(job);
      case Released released -> command.hold(job);
      case Running running -> {
        Duration left = Duration.between(sight.now(), at.until());
        if (!left.isPositive() || !sight.isStopped().test(job.seen())) {
          command.stop(job, left.isPositive() ? left : Duration.ZERO);
        }
      }
      case Ending ending -> {}
      case Ended(Outcome how) -> {
        if (how != Outcome.FINISHED) {
          tell.stopped(job);
        }
        tell.end(job, how == Outcome.FINISHED ? how : Outcome.CANCELLED);
      }
    }
  }

  private void ended(SeenJob job, JobStatus.Ended at) {
    int attempt = job.seen().attempt();
    JobId again = job.note().nameOf(attempt);
    switch (job.seen().state()) {
      case NotYet not -> {}
      case Held held -> {
        if (job.note().hasEnded(attempt)) {
          command.giveUp(job, Commanding.FORGOTTEN_END);
        } else if (isRefused(job, at)) {
          command.refuse(job);
        } else {
          submit(job, newName(job, attempt));
        }
      }
      case Released released -> command.hold(job);
      case Running running -> tell.adopt(job, again);
      case Ending ending -> tell.adopt(job, again);
      case Ended ended -> {}
    }
  }

  /** Compares a job that the scheduler has and the manager does not show. */
  private void absent(JobId id, JobId own) {
    found.miss(id);
    @Nullable ObservedJob given = sight.answers().get(id);
    @Nullable ObservedJob answer =
        given == null || sight.note().apply(id).isOfAnother(given) ? null : given;
    if (answer == null || !(answer.state() instanceof Ended)) {
      command.countUnseen(own, sight.note().apply(id));
    }
    if (sight.isTooYoung().test(id)) {
      return;
    }
    if (answer != null) {
      compare(answer);
    } else if (sight.gone().contains(id)) {
      tell.gone(own, sight.note().apply(id));
    }
  }

  /** Compares a job that only holds what it has: it is told, and never commanded (R12). */
  private void notOwned(SeenJob job) {
    boolean isLive = job.status() != null && !(job.status() instanceof JobStatus.Ended);
    switch (job.seen().state()) {
      case Running running when isLive && isKnownThere(job) -> tell.updateRunning(job);
      case Running running -> tell.adopt(job, isLive ? job.own() : newName(job));
      case Ending ending when !isLive -> tell.adopt(job, newName(job));
      case Ending ending -> {}
      case Ended(Outcome how) when isLive -> tell.end(job, how);
      case NotYet not when isLive -> tell.end(job, Outcome.CANCELLED);
      case Held held when isLive -> tell.end(job, Outcome.CANCELLED);
      case Released released when isLive -> tell.end(job, Outcome.CANCELLED);
      default -> {}
    }
  }

  // What cells ask.

  private void submit(SeenJob job, JobId name) {
    if (job.seen().request() instanceof Understood request && job.refusal(sight).isEmpty()) {
      tell.submit(job, name, request.spec());
    } else {
      command.refuse(job);
    }
  }

  /** Runs elsewhere than the scheduler believes: it is to be moved, or the manager has done it. */
  private void elsewhere(SeenJob job) {
    boolean isDecided =
        job.note().began().filter(at -> at.isOn(job.seen().on())).isPresent()
            && job.note().hasBegun(job.seen().attempt());
    if (isDecided) {
      command.stop(job, Duration.ZERO);
      found.noteCommand(job.note(), note -> note.moves(job.seen().attempt()));
    } else {
      tell.adopt(job, job.own());
    }
  }

  private static boolean wasMoved(SeenJob job) {
    return job.note().moved().isPresent()
        && job.note().moved().getAsInt() == job.seen().attempt() - 1;
  }

  /** The manager may have forgotten that the attempt came, which has another id the second time. */
  private JobId newName(SeenJob job, int attempt) {
    int time = 1;
    while (scheduler.status(job.note().nameOf(attempt, time)).isPresent()) {
      time++;
    }
    return job.note().nameOf(attempt, time);
  }

  private static JobId newName(SeenJob job) {
    return job.status() == null && job.note().ended().isEmpty()
        ? job.own()
        : job.note().nameOf(job.seen().attempt());
  }

  private boolean isKnownThere(SeenJob job) {
    return scheduler.view().placement(job.own()).filter(job::isOn).isPresent();
  }

  private static boolean isPinned(List<NodeId> pinned, Placement placement) {
    return pinned.equals(placement.nodes().stream().sorted().toList());
  }

  private static boolean isRefused(SeenJob job, JobStatus.Ended at) {
    boolean isNew =
        job.note().told().filter(told -> told.attempt() < job.seen().attempt()).isPresent();
    return !isNew
        && job.note().ended().isEmpty()
        && (at.how() == JobStatus.Outcome.REJECTED || at.how() == JobStatus.Outcome.FAILED);
  }
}
