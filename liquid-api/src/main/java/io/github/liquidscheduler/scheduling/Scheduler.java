package io.github.liquidscheduler.scheduling;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.job.JobId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A deterministic state machine: events in, decisions out. It starts no thread and reads no clock,
 * file or socket; the same events give the same decisions, on every machine. Not thread-safe: one
 * call at a time.
 */
public interface Scheduler {

  /**
   * Takes note of what happened and returns what shall be done about it, in the order in which it
   * shall be done.
   *
   * @throws IllegalArgumentException if the event is earlier than the one before it, submits a job
   *     whose id is known, or names a job, node or GPU that is not there or not in the state that
   *     the event implies (a job that does not run cannot finish); the state is then unchanged
   */
  List<Decision> on(ClusterEvent event);

  /** Returns what is free and who runs where. It shows the state of the moment of each call. */
  ClusterView view();

  /** Returns the waiting jobs, the next in turn first. */
  List<JobId> waiting();

  /** Returns what became of the job, or empty if it was never submitted (or long forgotten). */
  Optional<JobStatus> status(JobId job);

  /**
   * Returns why the job waits and what would let it run.
   *
   * @throws IllegalArgumentException if the job does not wait
   */
  Explanation explain(JobId job);

  /**
   * Returns when the policy wants to decide anew although nothing may happen until then, if ever: a
   * {@link ClusterEvent.TimePassed} then keeps it exact. Later is safe, only less exact.
   */
  Optional<Instant> nextWakeUp();

  /** Returns the whole state as a value, to restore a scheduler from. */
  SchedulerSnapshot snapshot();

  /**
   * Returns a scheduler of the same state that goes its own way from here: for what-if questions.
   */
  Scheduler copy();
}
