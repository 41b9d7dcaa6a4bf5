package io.github.liquidscheduler.scheduler.phase;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.QueueName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/*
 * Idea: a live job is in exactly one phase, and the phase alone tells what its processes may still
 * use (held), what is due to it (promised) and what it gives up (leaving). One table says which
 * phase may follow which.
 * Invariants: what is promised is applied to the cluster; what is leaving counts as free there, and
 * who is promised it waits; a starting job holds nothing, a launching one all that it is promised, and a resizing one nothing of its new
 * tasks while it waits. JobPhaseTest has every pair of phases.
 * Cost: O(1); the tasks of a resize O(tasks x tasks), once.
 */
/** The phase of a live job. Immutable. */
public sealed interface JobPhase {

  /**
   * The job waits and holds nothing.
   *
   * @param delay the end of the delay of a retry; empty if there is none
   * @param share the time from which it is promised GPUs; empty unless the delay is over then
   */
  record Waiting(Optional<Instant> delay, Optional<Instant> share) implements JobPhase {

    /** The phase of a job that may be tried at once. */
    public static final Waiting AT_ONCE = new Waiting(Optional.empty(), Optional.empty());

    /** Drops a share that begins before the delay is over. */
    public Waiting {
      Optional<Instant> end = delay;
      share = share.filter(from -> end.filter(from::isAfter).equals(end));
    }

    @Override
    public Optional<Instant> notBefore() {
      return share.or(() -> delay);
    }
  }

  /**
   * The job was pre-empted, waits, and still holds its GPUs.
   *
   * @param remaining the tasks that may still run
   * @param until the end of its grace period
   * @param share the time from which it is promised GPUs; empty unless that is later
   * @param queue the queue that it ran in, if it waits in another one now
   */
  record Stopping(
      Placement remaining, Instant until, Optional<Instant> share, Optional<QueueName> queue)
      implements JobPhase {

    /** Makes the phase of a job that waits in the queue that it ran in. */
    public Stopping(Placement remaining, Instant until, Optional<Instant> share) {
      this(remaining, until, share, Optional.empty());
    }

    /** Returns the phase of a job that waits in another queue than it ran in. */
    public Stopping ranIn(QueueName name) {
      return new Stopping(remaining, until, share, queue.or(() -> Optional.of(name)));
    }

    /** Returns the phase once the job has stopped. */
    public Waiting stopped() {
      return new Waiting(Optional.empty(), share);
    }

    @Override
    public Optional<Placement> leaving() {
      return Optional.of(remaining);
    }

    @Override
    public Optional<Placement> held() {
      return Optional.of(remaining);
    }

    @Override
    public Optional<Instant> notBefore() {
      return Optional.of(until);
    }
  }

  /**
   * The job is promised GPUs that others still hold. It has no processes yet.
   *
   * @param placement its placement
   * @param after the jobs that it waits for, by id; at least one
   * @param by the end of the last of their grace periods as of its start; no earlier than the start
   */
  record Starting(Placement placement, List<JobId> after, Instant by) implements JobPhase {
    /** Copies the jobs. */
    public Starting {
      after = List.copyOf(after);
    }

    @Override
    public Placement promised() {
      return placement;
    }

    @Override
    public Optional<Placement> held() {
      return Optional.empty();
    }
  }

  /**
   * The job is being started on GPUs that nobody else holds, and was not reported as begun. It may
   * have processes.
   *
   * @param placement its placement
   */
  record Launching(Placement placement) implements JobPhase {
    @Override
    public Placement promised() {
      return placement;
    }
  }

  /**
   * The job runs.
   *
   * @param placement its placement
   * @param profiling whether it measures its speed at several sizes
   */
  record Running(Placement placement, boolean profiling) implements JobPhase {
    @Override
    public Placement promised() {
      return placement;
    }
  }

  /**
   * The job runs at its old placement and has not switched to the new one yet.
   *
   * @param running the placement until the switch
   * @param to the placement after the switch
   * @param leaving the tasks that it gives up at the switch; empty if it only grows
   * @param ready whether it is about to switch
   * @param after the jobs that its new tasks wait for, by id
   */
  record Resizing(
      Placement running,
      Placement to,
      Optional<Placement> leaving,
      boolean ready,
      List<JobId> after)
      implements JobPhase {
    /** Copies the jobs. */
    public Resizing {
      after = List.copyOf(after);
    }

    /** Returns the change of a running job from one placement to another. */
    public static Resizing of(Placement from, Placement to, List<JobId> after) {
      return new Resizing(from, to, ResizedTasks.leaving(from, Optional.empty(), to), false, after);
    }

    /** Returns the tasks of the new placement that the job has not got yet; empty if none. */
    public Optional<Placement> added() {
      return ResizedTasks.leaving(to, Optional.empty(), running);
    }

    /** Returns this change with another target. New tasks that still wait are only dropped. */
    public Resizing redirected(Placement next, List<JobId> instead) {
      Placement from = after.isEmpty() ? to : running;
      return new Resizing(running, next, ResizedTasks.leaving(from, leaving, next), false, instead);
    }

    /** Returns this change, about to switch. */
    public Resizing atSwitch() {
      return new Resizing(running, to, leaving, true, after);
    }

    @Override
    public Optional<Placement> held() {
      List<TaskPlacement> tasks = new ArrayList<>((after.isEmpty() ? to : running).tasks());
      Optional<Placement> besides =
          after.isEmpty()
              ? leaving
              : leaving.flatMap(given -> ResizedTasks.elsewhere(given, running));
      besides.ifPresent(given -> tasks.addAll(given.tasks()));
      return Optional.of(new Placement(to.job(), tasks));
    }

    @Override
    public Optional<Placement> heldThen() {
      return new Resizing(running, to, leaving, ready, List.of()).held();
    }

    @Override
    public Placement promised() {
      return to;
    }
  }

  /**
   * The job runs at its old placement and moves to the new one at once when others have left that.
   *
   * @param running the placement until the move
   * @param to the placement after the move
   * @param leaving the tasks that are at another place afterwards
   * @param after the jobs that it waits for, by id; at least one
   */
  record Moving(Placement running, Placement to, Optional<Placement> leaving, List<JobId> after)
      implements JobPhase {
    /** Copies the jobs. */
    public Moving {
      after = List.copyOf(after);
    }

    /** Returns the move of a running job from one placement to another. */
    public static Moving of(Placement from, Placement to, List<JobId> after) {
      return new Moving(from, to, ResizedTasks.elsewhere(from, to), after);
    }

    /** Returns the tasks of the new placement that are not there now; empty if none. */
    public Optional<Placement> added() {
      return ResizedTasks.elsewhere(to, running);
    }

    @Override
    public Placement promised() {
      return to;
    }

    @Override
    public Optional<Placement> held() {
      return Optional.of(running);
    }
  }

  /** Returns the placement applied to the cluster; null while the job waits or stops. */
  default @Nullable Placement promised() {
    return null;
  }

  /** Returns the tasks that its processes may be using; empty if it has none. */
  default Optional<Placement> held() {
    return Optional.ofNullable(promised());
  }

  /**
   * Returns the tasks that its processes may be using once those that it waits for have left, those
   * of before a switch included; empty if it has none.
   */
  default Optional<Placement> heldThen() {
    return after().isEmpty() ? held() : Optional.ofNullable(promised());
  }

  /** Returns the jobs that hold what it is promised, by id. */
  default List<JobId> after() {
    return List.of();
  }

  /** Returns the phase once a job that it waits for has left. */
  default JobPhase without(JobId gone) {
    List<JobId> left = after().stream().filter(job -> !job.equals(gone)).toList();
    return switch (this) {
      case Starting starting -> new Starting(starting.placement, left, starting.by);
      case Resizing change ->
          new Resizing(change.running, change.to, change.leaving, change.ready, left);
      case Moving move -> new Moving(move.running, move.to, move.leaving, left);
      default -> this;
    };
  }

  /** Returns the phase once tasks that are leaving have stopped; the others are as before. */
  default JobPhase withoutLeaving(Predicate<TaskPlacement> gone) {
    Optional<Placement> rest =
        leaving()
            .map(all -> all.tasks().stream().filter(gone.negate()).toList())
            .filter(tasks -> !tasks.isEmpty())
            .map(tasks -> new Placement(leaving().get().job(), tasks));
    return switch (this) {
      case Stopping stopping ->
          rest.isPresent()
              ? new Stopping(rest.get(), stopping.until, stopping.share, stopping.queue)
              : stopping.stopped();
      case Resizing change ->
          new Resizing(change.running, change.to, rest, change.ready, change.after);
      default -> this;
    };
  }

  /** Returns the tasks that it still runs but that count as free. */
  default Optional<Placement> leaving() {
    return Optional.empty();
  }

  /** Returns the time before which it must not be tried: the end of its delay or grace period. */
  default Optional<Instant> notBefore() {
    return Optional.empty();
  }

  /** Returns the time from which the waiting job is promised GPUs, if it is held until then. */
  default Optional<Instant> heldUntil() {
    return this instanceof Waiting waiting ? waiting.share() : Optional.empty();
  }

  /**
   * Returns the phase with the delay of a retry, beside the time from which the job is promised
   * GPUs.
   *
   * @throws IllegalStateException if the job does not wait
   */
  default JobPhase delayed(Instant delay) {
    if (!(this instanceof Waiting waiting)) {
      throw new IllegalStateException("a job that is %s cannot be delayed".formatted(name()));
    }
    return new Waiting(Optional.of(delay), waiting.share);
  }

  /**
   * Returns the phase of a job that is promised GPUs from a time on; empty if from now. What it
   * holds and its delay stay.
   *
   * @throws IllegalStateException if the job has a placement
   */
  default JobPhase sharing(Optional<Instant> share) {
    return switch (this) {
      case Waiting waiting -> new Waiting(waiting.delay, share);
      case Stopping stopping ->
          new Stopping(
              stopping.remaining,
              stopping.until,
              share.filter(stopping.until::isBefore),
              stopping.queue);
      default ->
          throw new IllegalStateException("a job that is %s cannot be held".formatted(name()));
    };
  }

  /** Returns the phase without delay or promise. What the job holds stays. */
  default JobPhase undelayed() {
    return this instanceof Stopping stopping
        ? new Stopping(stopping.remaining, stopping.until, Optional.empty(), stopping.queue)
        : then(Waiting.AT_ONCE);
  }

  /**
   * Returns the next phase. This is the table of all transitions; a job may end in every phase.
   *
   * @throws IllegalStateException if that phase cannot follow this one
   */
  default JobPhase then(JobPhase next) {
    boolean follows =
        switch (this) {
          case Waiting from ->
              !(next instanceof Stopping || next instanceof Resizing || next instanceof Moving);
          case Stopping from ->
              next instanceof Waiting || next instanceof Stopping || next instanceof Running;
          case Starting from ->
              !(next instanceof Stopping || next instanceof Resizing || next instanceof Moving);
          case Launching from ->
              next instanceof Waiting || next instanceof Stopping || next instanceof Running;
          case Running from -> !(next instanceof Starting || next instanceof Launching);
          case Resizing from ->
              !(next instanceof Starting || next instanceof Launching || next instanceof Moving);
          case Moving from ->
              !(next instanceof Starting || next instanceof Launching || next instanceof Resizing);
        };
    if (!follows) {
      throw new IllegalStateException(
          "a job that is %s cannot be %s next".formatted(name(), next.name()));
    }
    return next;
  }

  private String name() {
    return switch (this) {
      case Waiting waiting -> "waiting";
      case Stopping stopping -> "stopping";
      case Starting starting -> "starting";
      case Launching launching -> "launching";
      case Running running -> "running";
      case Resizing resizing -> "resizing";
      case Moving moving -> "moving";
    };
  }
}
