package io.github.liquidscheduler.scheduler.policy;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Who goes first. A policy ranks jobs, and if it wants to, {@linkplain #queueOrder queues} before
 * them; the scheduler keeps them in that order, equal ranks in the order of submission, and asks
 * the placer for room. Policies are stateless: what one has to remember of a job is its {@link
 * PolicyState}.
 *
 * <p>The scheduler asks for a rank when a job is submitted, starts, stops or reports progress and
 * at {@link #nextReview}, never in between. So a waiting job's rank must not depend on the time
 * otherwise; nor must a running job's, save for {@link #isRemainingTime}.
 */
public interface SchedulingPolicy {

  /** Returns the name, which reasons and snapshots carry. */
  String name();

  /**
   * Returns what else decides the ranks, by name: thresholds, factors. Snapshots carry it, and are
   * restored only where it is the same. Nothing by default.
   */
  default Map<String, String> parameters() {
    return Map.of();
  }

  /** Returns the job's rank: the lowest goes first. */
  long rank(JobView job);

  /**
   * Returns which queue goes first: its jobs stand before those of the others, whatever their own
   * ranks. By default queues do not matter. A policy that {@linkplain #preempts() pre-empts} must
   * not order queues: what one queue may take back from another is not told by ranks.
   */
  default Optional<QueueOrder> queueOrder() {
    return Optional.empty();
  }

  /**
   * Returns whether jobs that fit may bypass jobs that do not. If not, the first job that does not
   * fit blocks all behind it.
   */
  boolean allowsBypass();

  /**
   * Returns whether a job that does not fit may take the room of pre-emptible running jobs of
   * strictly higher rank. By default it may not.
   */
  default boolean preempts() {
    return false;
  }

  /**
   * Returns whether ranks are remaining times in nanoseconds: that of a running job then falls as
   * time passes. {@link Long#MAX_VALUE} stands for an unknown time and does not fall, nor does 0.
   * False by default.
   */
  default boolean isRemainingTime() {
    return false;
  }

  /** Returns the job's standing from now on; by default as it was. Asked before its rank. */
  default PolicyState standing(JobView job) {
    return job.standing();
  }

  /**
   * Returns when the job's standing or rank will change if nothing happens to it until then; never
   * by default. The answer must not depend on when between two happenings it is asked; an instant
   * that is not after {@link JobView#now()} counts as never.
   */
  default Optional<Instant> nextReview(JobView job) {
    return Optional.empty();
  }
}
