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
   * @throws StaleEventException if a job that ran is said to have finished, failed or progressed,
   *     but waits again or is over; or is cancelled, but is over; the state is unchanged, and the
   *     event may be ignored
   * @throws IllegalArgumentException if the event is earlier than the one before it, submits a job
   *     whose id is known or one that describes what is not supported yet, or names a job, node or
   *     GPU that is not there or not in the state that the event implies (a job that never ran
   *     cannot finish); the state is unchanged
   * @throws PluginFailedException if a part that was plugged in fails; the state is unchanged, and
   *     a {@link #view()} that was asked for before is out of date
   */
  List<Decision> on(ClusterEvent event);

  /** Returns what is free and who runs where. It shows the state of the moment of each call. */
  ClusterView view();

  /** Returns the waiting jobs in the order of the policy, the next first. */
  List<JobId> waiting();

  /** Returns how many waiting jobs come before this one; empty if the job does not wait. */
  default OptionalInt queuePosition(JobId job) {
    int position = waiting().indexOf(job);
    return position < 0 ? OptionalInt.empty() : OptionalInt.of(position);
  }

  /** Returns a waiting or running job as it was submitted or last updated; else empty. */
  Optional<JobSpec> job(JobId job);

  /** Returns the state of the job, or empty if it was never submitted (or long forgotten). */
  Optional<JobStatus> status(JobId job);

  /** Returns what a queue holds and what is due to it, if there is a tree with that queue. */
  default Optional<QueueStatus> queue(QueueName queue) {
    return Optional.empty();
  }

  /**
   * Returns when a waiting job is to start as things stand, if a place is reserved for it. Jobs
   * that run longer than expected put that off; what ends early brings it forward.
   */
  default Optional<Instant> reservedStart(JobId job) {
    return Optional.ofNullable(reservedStarts().get(job));
  }

  /** Returns when waiting jobs are to start for which places are reserved, as things stand. */
  default Map<JobId, Instant> reservedStarts() {
    return Map.of();
  }

  /** Returns what is announced to be reserved and has not ended, in the order of announcement. */
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
   * Returns when the policy has something to decide even if nothing happens until then, if ever: a
   * {@link ClusterEvent.TimePassed} at that time keeps it exact. Later is safe, only less exact.
   */
  Optional<Instant> nextWakeUp();

  /**
   * Returns what the scheduler was made of, by name: all that decides how it goes on from a given
   * state. The {@code policy} is there by its name. Nothing by default.
   */
  default Map<String, String> parameters() {
    return Map.of();
  }

  /** Returns the whole state as a value, to restore a scheduler from. */
  SchedulerSnapshot snapshot();

  /**
   * Returns what would happen after some events, if running jobs then end when they are expected to
   * and nothing else happens; nothing changes. A job of which no end is expected runs on, one that
   * has outlived its expectation ends next, and plans that are requested do not come. A {@linkplain
   * #copy() copy}, and as much as so many events.
   *
   * @param events what happens, in order; none to look ahead only
   * @param more how many ends, and times at which the scheduler wants to decide, are looked at
   *     after them
   * @throws IllegalArgumentException if an event cannot be, as {@link #on} does
   * @throws UnsupportedOperationException if the scheduler cannot look ahead
   */
  default Forecast whatIf(List<ClusterEvent> events, int more) {
    throw new UnsupportedOperationException("this scheduler does not look ahead");
  }

  /**
   * Returns when a waiting job would first start if jobs ran as long as in a scenario, and nobody
   * came; empty if it does not start, or not within so many events. The scheduler does not know the
   * scenario: it decides by what jobs are expected to run. A job that reported its progress ends
   * when that says. Nothing changes. A {@linkplain #copy() copy}, and as much as the events before
   * that start.
   *
   * @param job the job
   * @param scenario how long jobs run
   * @param more how many ends, and times at which the scheduler wants to decide, are looked at
   * @throws UnsupportedOperationException if the scheduler cannot look ahead
   */
  default Optional<Instant> startIf(JobId job, RunTimeScenario scenario, int more) {
    throw new UnsupportedOperationException("this scheduler does not look ahead");
  }

  /**
   * Returns a scheduler of the same state that goes its own way from here: for what-if questions.
   */
  Scheduler copy();
}
