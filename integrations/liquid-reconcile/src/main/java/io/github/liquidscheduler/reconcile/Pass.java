package io.github.liquidscheduler.reconcile;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.reconcile.Differences.Kind;
import io.github.liquidscheduler.reconcile.ObservedRequest.Understood;
import io.github.liquidscheduler.reconcile.ObservedRequest.Unsupported;
import io.github.liquidscheduler.reconcile.ObservedState.Ended;
import io.github.liquidscheduler.reconcile.ObservedState.Ending;
import io.github.liquidscheduler.reconcile.ObservedState.Held;
import io.github.liquidscheduler.reconcile.ObservedState.NotYet;
import io.github.liquidscheduler.reconcile.ObservedState.Outcome;
import io.github.liquidscheduler.reconcile.ObservedState.Released;
import io.github.liquidscheduler.reconcile.ObservedState.Running;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.ClusterEvent.JobCancelled;
import io.github.liquidscheduler.scheduling.ClusterEvent.JobFailed;
import io.github.liquidscheduler.scheduling.ClusterEvent.JobFinished;
import io.github.liquidscheduler.scheduling.ClusterEvent.JobHeld;
import io.github.liquidscheduler.scheduling.ClusterEvent.JobReleased;
import io.github.liquidscheduler.scheduling.ClusterEvent.JobStarted;
import io.github.liquidscheduler.scheduling.ClusterEvent.JobStopped;
import io.github.liquidscheduler.scheduling.ClusterEvent.JobSubmitted;
import io.github.liquidscheduler.scheduling.ClusterEvent.JobUpdated;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Retry;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
 *   before the manager knows its nodes (R6) or where it shows no room (R7). A job that is not owned
 *   is never commanded (R12). ReconcileLaws.
 * Cost: O(jobs shown, and jobs known).
 * Rejected: to turn decisions into commands: one that is lost between the journal and the manager
 *   would never be sent again.
 */
/** Compares what a manager shows with the state of a scheduler. Decides nothing. */
final class Pass {

  /** How long a job waits whose start did not happen. */
  private static final Duration AFTER_NO_START = Duration.ofSeconds(30);

  private static final String FORGOTTEN_END =
      "it has ended here, and the cluster manager has forgotten that";

  /** A job in both worlds. */
  private record Job(JobId own, ObservedJob seen, JobNote note, @Nullable JobStatus status) {

    boolean hasNewAttempt() {
      return !note.hasBegun(seen.attempt());
    }

    /** Returns true if it is on the nodes of a placement, or it is not shown where. */
    boolean isOn(Placement placement) {
      return seen.on().isEmpty() || began(seen.on()).isOn(nodes(placement));
    }

    JobNote.Began began(List<NodeId> on) {
      return new JobNote.Began(seen.attempt(), on, "");
    }
  }

  private record Start(Job job, Placement placement) {}

  private final Sight sight;
  private final Scheduler scheduler;
  private final Differences found = new Differences();
  private final Map<JobId, Start> starts = new HashMap<>();

  private Pass(Sight sight, Scheduler scheduler) {
    this.sight = sight;
    this.scheduler = scheduler;
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
    Set<JobId> known = new HashSet<>(scheduler.waiting());
    List<JobId> live = new ArrayList<>(scheduler.waiting());
    scheduler.view().runningJobs().stream().filter(known::add).forEach(live::add);
    for (JobId own : live) {
      JobId job = sight.byOwnId().apply(own);
      if (!shown.contains(job)) {
        absent(job, own);
      }
    }
    NodeDifferences.find(sight.seen(), scheduler.view(), found);
    commandStarts();
  }

  private void compare(ObservedJob seen) {
    if (sight.isTooYoung().test(seen.id())) {
      return;
    }
    JobNote note = sight.note().apply(seen.id());
    @Nullable JobStatus status = scheduler.status(note.own()).orElse(null);
    Job job = new Job(note.own(), seen, note, status);
    if (!seen.isOwned()) {
      notOwned(job);
      return;
    }
    boolean isLive = status != null && !(status instanceof JobStatus.Ended);
    if (isLive && note.isOver() && note.hasEnded(seen.attempt())) {
      // Its end was noted, and could not be told yet.
      end(job, note.ended().orElseThrow().how());
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

  private void unknown(Job job) {
    if (job.note().ended().isPresent()) {
      ended(job, new JobStatus.Ended(JobStatus.Outcome.FINISHED));
      return;
    }
    switch (job.seen().state()) {
      case NotYet not -> {}
      case Held held -> submit(job, job.own());
      case Released released -> hold(job);
      case Running running -> adopt(job, job.own());
      case Ending ending -> adopt(job, job.own());
      case Ended ended -> {}
    }
  }

  private void waiting(Job job) {
    switch (job.seen().state()) {
      case NotYet(String why) -> holdBack(job, why);
      case Held held -> update(job);
      case Released released -> hold(job);
      case Running running -> {
        if (job.note().hasBegun(job.seen().attempt())) {
          stop(job, Duration.ZERO);
        } else {
          adopt(job, job.own());
        }
      }
      case Ending ending -> {}
      case Ended(Outcome how) ->
          end(
              job,
              how == Outcome.FINISHED && job.note().began().isPresent() ? how : Outcome.CANCELLED);
    }
  }

  private void starting(Job job, JobStatus.Launching at) {
    switch (job.seen().state()) {
      case NotYet(String why) -> {
        holdBack(job, why);
        fail(job, Failure.NOT_STARTED, Retry.now());
      }
      case Held held -> {
        if (isOverdue(at)) {
          NodeId[] nodes = at.placement().nodes().toArray(NodeId[]::new);
          fail(job, Failure.NOT_STARTED, Retry.after(AFTER_NO_START).avoiding(nodes));
        } else {
          start(job, at.placement());
        }
      }
      case Released(List<NodeId> pinned) -> {
        if (isOverdue(at) || !isPinned(pinned, at.placement())) {
          hold(job);
        }
      }
      case Running running when job.isOn(at.placement()) -> {
        begins(job, nodes(at.placement()));
        found.tell(Kind.UPDATE, now -> new JobStarted(now, job.own()));
      }
      case Running running -> {
        stop(job, Duration.ZERO);
        begins(job, job.seen().on());
        fail(job, Failure.NOT_STARTED, Retry.now());
      }
      case Ending ending -> {}
      case Ended(Outcome how) -> end(job, how);
    }
  }

  private void running(Job job, Placement placement) {
    switch (job.seen().state()) {
      case NotYet(String why) -> {
        holdBack(job, why);
        fail(job, Failure.CRASHED, Retry.now());
      }
      case Held held -> {
        if (!job.hasNewAttempt()) {
          startAgain(job, placement);
        } else if (wasMoved(job)) {
          start(job, placement);
        } else {
          fail(job, Failure.CRASHED, Retry.now());
        }
      }
      case Released(List<NodeId> pinned) -> {
        if (job.hasNewAttempt()) {
          hold(job);
          fail(job, Failure.CRASHED, Retry.now());
        } else if (!isPinned(pinned, placement)) {
          hold(job);
        }
      }
      case Running running when job.isOn(placement) -> begins(job, nodes(placement));
      case Running running -> elsewhere(job);
      case Ending ending -> {}
      case Ended(Outcome how) -> end(job, how);
    }
  }

  private void stopping(Job job, JobStatus.Stopping at) {
    switch (job.seen().state()) {
      case NotYet(String why) -> {
        holdBack(job, why);
        found.tell(Kind.END, now -> new JobStopped(now, job.own()));
      }
      case Held held -> found.tell(Kind.END, now -> new JobStopped(now, job.own()));
      case Released released -> hold(job);
      case Running running -> {
        Duration left = Duration.between(sight.now(), at.until());
        if (!left.isPositive() || !sight.isStopped().test(job.seen())) {
          stop(job, left.isPositive() ? left : Duration.ZERO);
        }
      }
      case Ending ending -> {}
      case Ended(Outcome how) -> {
        if (how != Outcome.FINISHED) {
          found.tell(Kind.END, now -> new JobStopped(now, job.own()));
        }
        end(job, how == Outcome.FINISHED ? how : Outcome.CANCELLED);
      }
    }
  }

  private void ended(Job job, JobStatus.Ended at) {
    int attempt = job.seen().attempt();
    JobId again = job.note().nameOf(attempt);
    switch (job.seen().state()) {
      case NotYet not -> {}
      case Held held -> {
        if (job.note().hasEnded(attempt)) {
          giveUp(job, FORGOTTEN_END);
        } else if (isRefused(job, at)) {
          refuse(job);
        } else {
          submit(job, again);
        }
      }
      case Released released -> hold(job);
      case Running running -> adopt(job, again);
      case Ending ending -> adopt(job, again);
      case Ended ended -> {}
    }
  }

  /** Compares a job that the scheduler has and the manager does not show. */
  private void absent(JobId id, JobId own) {
    found.miss(id);
    if (sight.isTooYoung().test(id)) {
      return;
    }
    @Nullable ObservedJob answer = sight.answers().get(id);
    if (answer != null) {
      compare(answer);
    } else if (sight.gone().contains(id)) {
      @Nullable JobStatus status = scheduler.status(own).orElse(null);
      JobNote note = sight.note().apply(id);
      switch (status) {
        case JobStatus.Launching at ->
            end(own, note, Outcome.FAILED, now -> failed(now, own, Failure.NOT_STARTED));
        case JobStatus.Running at ->
            end(own, note, Outcome.FINISHED, now -> new JobFinished(now, own));
        case null, default -> found.tell(Kind.END, now -> new JobCancelled(now, own));
      }
    }
  }

  /** Compares a job that only holds what it has: it is told, and never commanded (R12). */
  private void notOwned(Job job) {
    boolean isLive = job.status() != null && !(job.status() instanceof JobStatus.Ended);
    switch (job.seen().state()) {
      case Running running when isLive && isKnownThere(job) -> {}
      case Running running -> adopt(job, isLive ? job.own() : newName(job));
      case Ending ending when !isLive -> adopt(job, newName(job));
      case Ending ending -> {}
      case Ended(Outcome how) when isLive -> end(job, how);
      case NotYet not when isLive -> end(job, Outcome.CANCELLED);
      case Held held when isLive -> end(job, Outcome.CANCELLED);
      case Released released when isLive -> end(job, Outcome.CANCELLED);
      default -> {}
    }
  }

  // What cells say.

  private static JobId newName(Job job) {
    return job.status() == null && job.note().ended().isEmpty()
        ? job.own()
        : job.note().nameOf(job.seen().attempt());
  }

  private boolean isKnownThere(Job job) {
    return scheduler.view().placement(job.own()).filter(job::isOn).isPresent();
  }

  private void submit(Job job, JobId name) {
    switch (job.seen().request()) {
      case Unsupported unsupported -> refuse(job);
      case Understood request -> {
        if (refusal(job).isPresent()) {
          refuse(job);
        } else if (scheduler.status(name).isEmpty()) {
          note(job, name);
          found.tell(
              Kind.SUBMISSION,
              now -> new JobSubmitted(now, Adoption.submittedBy(now, request.spec().withId(name))));
        }
      }
    }
  }

  private void note(Job job, JobId name) {
    if (!job.note().own().equals(name)) {
      found.note(job.note().named(name));
    }
  }

  /** Tells of a job that runs and was not started here, or not there. */
  private void adopt(Job job, JobId name) {
    Optional<Differences.Told> event = Adoption.of(job.seen(), name);
    if (event.isPresent()
        && scheduler.status(name).filter(JobStatus.Ended.class::isInstance).isEmpty()) {
      found.note(
          job.note()
              .named(name)
              .begins(
                  new JobNote.Began(job.seen().attempt(), job.seen().on(), sight.seen().epoch())));
      found.tell(Kind.ADOPTION, event.get());
    }
  }

  private void update(Job job) {
    if (scheduler.held(job.own()).isPresent()) {
      found.tell(Kind.UPDATE, now -> new JobReleased(now, job.own()));
    }
    // A running job whose request has changed is to be told here too.
    if (job.status() instanceof JobStatus.Waiting
        && job.seen().request() instanceof Understood request) {
      JobSpec known = scheduler.job(job.own()).orElseThrow();
      JobSpec.Builder as = request.spec().withId(job.own()).toBuilder();
      known.submittedAt().ifPresent(as::submittedAt);
      JobSpec wanted = as.build();
      if (!wanted.equals(known) && refusal(job).isEmpty()) {
        found.tell(Kind.UPDATE, now -> new JobUpdated(now, wanted));
      }
    }
  }

  private void holdBack(Job job, String why) {
    JobHeld held = new JobHeld(sight.now(), job.own(), why);
    if (!scheduler.held(job.own()).equals(Optional.of(held.why()))) {
      found.tell(Kind.END, now -> new JobHeld(now, job.own(), held.why()));
    }
  }

  /** Runs elsewhere than the scheduler believes: it is to be moved, or the manager has done it. */
  private void elsewhere(Job job) {
    boolean isDecided =
        job.note().began().filter(at -> at.isOn(job.seen().on())).isPresent()
            && job.note().hasBegun(job.seen().attempt());
    if (isDecided) {
      stop(job, Duration.ZERO);
      found.noteCommand(job.note(), note -> note.moves(job.seen().attempt()));
    } else {
      adopt(job, job.own());
    }
  }

  private static boolean wasMoved(Job job) {
    return job.note().moved().isPresent()
        && job.note().moved().getAsInt() == job.seen().attempt() - 1;
  }

  private void begins(Job job, List<NodeId> on) {
    JobNote.Began began = new JobNote.Began(job.seen().attempt(), on, sight.seen().epoch());
    boolean isNoted =
        job.note().began().filter(at -> at.attempt() == began.attempt() && at.isOn(on)).isPresent();
    if (!isNoted) {
      found.note(job.note().begins(began));
    }
  }

  private void fail(Job job, Failure failure, Retry retry) {
    found.tell(Kind.END, now -> new JobFailed(now, job.own(), failure, retry));
  }

  private void end(Job job, Outcome how) {
    JobNote.Ended ended = new JobNote.Ended(job.seen().attempt(), how);
    found.note(job.note().ends(ended));
    found.tell(Kind.END, now -> ended(now, job.own(), how));
  }

  private void end(JobId own, JobNote note, Outcome how, Differences.Told event) {
    found.note(note.ends(new JobNote.Ended(note.lastAttempt(), how)));
    found.tell(Kind.END, event);
  }

  private static ClusterEvent ended(Instant now, JobId job, Outcome how) {
    return switch (how) {
      case FINISHED -> new JobFinished(now, job);
      case FAILED -> failed(now, job, Failure.CRASHED);
      case OUT_OF_MEMORY -> failed(now, job, Failure.OUT_OF_MEMORY);
      case CANCELLED -> new JobCancelled(now, job);
    };
  }

  private static JobFailed failed(Instant now, JobId job, Failure why) {
    return new JobFailed(now, job, why, Retry.no());
  }

  private boolean isOverdue(JobStatus.Launching at) {
    Instant from = at.since().isBefore(sight.since()) ? sight.since() : at.since();
    return Duration.between(from, sight.now()).compareTo(sight.startTimeout()) >= 0;
  }

  private static boolean isPinned(List<NodeId> pinned, Placement placement) {
    return pinned.equals(placement.nodes().stream().sorted().toList());
  }

  private static List<NodeId> nodes(Placement placement) {
    return placement.tasks().stream().map(TaskPlacement::node).toList();
  }

  // Commands.

  private void hold(Job job) {
    found.command(new Command.Hold(job.seen().id()));
  }

  private void stop(Job job, Duration grace) {
    found.command(new Command.Stop(job.seen().id(), job.seen().attempt(), grace));
  }

  /** The manager shows a job as waiting that has begun under this attempt (R5). */
  private void startAgain(Job job, Placement placement) {
    boolean mayRunAgain = scheduler.job(job.own()).filter(JobSpec::isPreemptible).isPresent();
    if (mayRunAgain) {
      start(job, placement);
    } else if (sight.isSettled()) {
      giveUp(job, "it has begun, the cluster manager has forgotten that, and it may not run again");
    }
  }

  private void start(Job job, Placement placement) {
    if (!sight.isSettled()) {
      return;
    }
    if (job.note().hasEnded(job.seen().attempt())) {
      giveUp(job, FORGOTTEN_END);
    } else if (mayRun(job) && !began(job).isOn(nodes(placement))) {
      giveUp(
          job,
          "it may run on %s, and the cluster manager has forgotten that"
              .formatted(began(job).on()));
    } else {
      starts.put(job.own(), new Start(job, placement));
    }
  }

  private static JobNote.Began began(Job job) {
    return job.note().began().orElseThrow();
  }

  /** Returns true if it may have begun in an earlier life of the manager. */
  private boolean mayRun(Job job) {
    return job.note().hasBegun(job.seen().attempt())
        && !began(job).epoch().equals(sight.seen().epoch());
  }

  /** Starts come in the order decided, each once the manager shows room for it (R7). */
  private void commandStarts() {
    if (starts.isEmpty()) {
      return;
    }
    Room room = new Room(sight.seen(), sight.note());
    for (JobId own : scheduler.view().runningJobs()) {
      @Nullable Start start = starts.get(own);
      if (start != null && isAnswering(start.placement()) && room.take(start.placement())) {
        Job job = start.job();
        JobNote.Began began =
            new JobNote.Began(job.seen().attempt(), nodes(start.placement()), sight.seen().epoch());
        if (!mayRun(job)) {
          found.noteCommand(job.note(), note -> note.begins(began));
        }
        found.command(new Command.Start(job.seen().id(), job.seen().attempt(), start.placement()));
      }
    }
  }

  private boolean isAnswering(Placement placement) {
    return placement.nodes().stream()
        .map(sight.seen().conditions()::get)
        .allMatch(at -> at == NodeCondition.UP || at == NodeCondition.DRAINING);
  }

  private void giveUp(Job job, String text) {
    found.command(new Command.GiveUp(job.seen().id(), text));
  }

  private Optional<Sight.Refusal> refusal(Job job) {
    return sight
        .refusals()
        .apply(job.seen().id())
        .filter(why -> why.of().isEmpty() || why.of().get().equals(job.seen().request()));
  }

  private static boolean isRefused(Job job, JobStatus.Ended at) {
    boolean isNew =
        job.note().told().filter(told -> told.attempt() < job.seen().attempt()).isPresent();
    return !isNew
        && job.note().ended().isEmpty()
        && (at.how() == JobStatus.Outcome.REJECTED || at.how() == JobStatus.Outcome.FAILED);
  }

  /** Tells a user once that his job is not wanted as it is. */
  private void refuse(Job job) {
    String text =
        job.seen().request() instanceof Unsupported(String why)
            ? why
            : refusal(job)
                .map(Sight.Refusal::text)
                .or(() -> job.note().told().map(JobNote.Told::text))
                .orElse("it can never run here as it is");
    Optional<JobNote.Told> told = Optional.of(new JobNote.Told(job.seen().attempt(), text));
    if (!job.note().told().equals(told)) {
      found.refuse(new Command.Refuse(job.seen().id(), text), job.seen().attempt());
    }
  }
}
