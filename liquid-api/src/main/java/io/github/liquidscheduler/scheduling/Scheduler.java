package io.github.liquidscheduler.scheduling;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.prediction.RunTimeScenario;
import io.github.liquidscheduler.queue.QueueStatus;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A deterministic state machine: events in, decisions out. It starts no thread and reads no clock,
 * file or socket; the same events give the same decisions, on every machine. Not thread-safe: one
 * call at a time.
 */
public interface Scheduler {

  /**
   * Applies an event and returns the resulting decisions, in execution order.
   *
   * @throws StaleEventException if a job that ran is said to have failed or progressed, but waits
   *     again or is over; or has finished or is cancelled, but is over; the state is unchanged, and
   *     the event may be ignored
   * @throws IllegalArgumentException if the event is earlier than the one before it, submits a job
   *     whose id is known or one that describes what is not supported yet, or names a job, node or
   *     GPU that is not there or not in the state that the event implies (a job that never ran
   *     cannot finish); the state is unchanged
   * @throws PluginFailedException if a part that was plugged in fails; the state is unchanged, and
   *     a {@link #view()} that was asked for before is out of date
   */
  List<Decision> on(ClusterEvent event);

  /**
   * Applies events, in order, and then decides once, as for a {@link ClusterEvent.Bundle} of them.
   * Either all are taken or none: if one is refused, the state is as before the first. A list of
   * one event is that event.
   *
   * @throws RefusedEventException if the scheduler refuses one of two or more, after those before
   *     it; its cause says why
   * @throws IllegalArgumentException if there is no event, or they cannot be a bundle; and for one
   *     event as {@link #on(ClusterEvent)} does
   * @throws PluginFailedException as {@link #on(ClusterEvent)} does
   */
  default List<Decision> on(List<? extends ClusterEvent> events) {
    return on(ClusterEvent.together(events));
  }

  /** Returns the free capacity and the running jobs, live: each call shows the current state. */
  ClusterView view();

  /** Returns the waiting jobs in the order of the policy, the next first. */
  List<JobId> waiting();

  /** Returns the number of waiting jobs before this one; empty if the job does not wait. */
  default OptionalInt queuePosition(JobId job) {
    int position = waiting().indexOf(job);
    return position < 0 ? OptionalInt.empty() : OptionalInt.of(position);
  }

  /** Returns a waiting or running job as it was submitted or last updated; else empty. */
  Optional<JobSpec> job(JobId job);

  /** Returns the state of the job, or empty if it was never submitted (or long forgotten). */
  Optional<JobStatus> status(JobId job);

  /**
   * Returns why a live job is {@linkplain ClusterEvent.JobHeld held}; empty if it is not. One that
   * runs may be held as well: it is not started again once it has stopped.
   */
  default Optional<String> held(JobId job) {
    return Optional.empty();
  }

  /** Returns the usage and the entitlement of a queue, if there is a tree with that queue. */
  default Optional<QueueStatus> queue(QueueName queue) {
    return Optional.empty();
  }

  /**
   * Returns the planned start of a waiting job that has a reservation. Jobs that run longer than
   * expected put it off; jobs that end early bring it forward.
   */
  default Optional<Instant> reservedStart(JobId job) {
    return Optional.ofNullable(reservedStarts().get(job));
  }

  /** Returns the planned starts of the waiting jobs that have reservations. */
  default Map<JobId, Instant> reservedStarts() {
    return Map.of();
  }

  /** Returns the advance reservations that have not ended, in the order of announcement. */
  default List<ReservationStatus> advanceReservations() {
    return List.of();
  }

  /**
   * Returns why the job waits and what would let it run.
   *
   * @throws IllegalArgumentException if the job does not wait
   */
  Explanation explain(JobId job);

  /**
   * Returns the next instant at which time alone may change decisions, if any: report a {@link
   * ClusterEvent.TimePassed} then. Later is safe, only less exact.
   */
  Optional<Instant> nextWakeUp();

  /**
   * Returns the configuration by name: all that decides how the scheduler goes on from a given
   * state, with the name of the {@code policy}. Empty by default.
   */
  default Map<String, String> parameters() {
    return Map.of();
  }

  /** Returns the whole state as a value, to restore a scheduler from. */
  SchedulerSnapshot snapshot();

  /**
   * Returns the decisions that would follow some events if running jobs then end as expected and
   * nothing else happens; the scheduler does not change. A job without an expected end runs on, one
   * past its expected end ends next, and requested plans do not come. Costs those events, and as
   * much again as they change.
   *
   * @param events what happens, in order; none to look ahead only
   * @param lookAheadTurns the most ends of jobs and wake-ups that are followed after them
   * @throws IllegalArgumentException if an event cannot be, as {@link #on} does
   * @throws UnsupportedOperationException if the scheduler cannot look ahead
   */
  default Forecast whatIf(List<ClusterEvent> events, int lookAheadTurns) {
    throw new UnsupportedOperationException("this scheduler does not look ahead");
  }

  /**
   * Returns the first start of a waiting job if jobs ran for the times of a scenario and none were
   * submitted; empty if it does not start within {@code lookAheadTurns}. The scheduler does not
   * know the scenario: it decides by expected run times. A job that reported its progress ends when
   * that says. The scheduler does not change. Costs the events before that start, and as much again
   * as they change.
   *
   * @param scenario how long jobs run
   * @param lookAheadTurns the most ends of jobs and wake-ups that are followed
   * @throws UnsupportedOperationException if the scheduler cannot look ahead
   */
  default Optional<Instant> startIf(JobId job, RunTimeScenario scenario, int lookAheadTurns) {
    throw new UnsupportedOperationException("this scheduler does not look ahead");
  }

  /**
   * Returns a scheduler of the same state that goes its own way from here: for what-if questions.
   */
  Scheduler copy();
}
