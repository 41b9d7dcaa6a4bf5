package io.github.liquidscheduler.scheduler.policy;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The order of jobs. A policy ranks jobs and optionally {@linkplain #queueOrder queues} before
 * them; the scheduler places jobs in that order, equal ranks by submission. Policies are stateless:
 * what one must remember of a job is its {@link PolicyState}.
 *
 * <p>The scheduler asks for a rank when a job is submitted, starts, stops or reports progress, and
 * at {@link #nextReview}, never in between. So a waiting job's rank must not otherwise depend on
 * time; nor must a running job's, save for {@link #isRemainingTime}.
 *
 * <p>What is not asked about a job or a queue (the name, the parameters, the order of queues, and
 * whether jobs bypass others, pre-empt or have remaining times) is asked once, when a scheduler is
 * built.
 */
public interface SchedulingPolicy {

  /** Returns the name, used in reasons and snapshots. */
  String name();

  /**
   * Returns the further options that affect ranks, such as thresholds, by name; none by default. A
   * snapshot is restored only with equal options.
   */
  default Map<String, String> parameters() {
    return Map.of();
  }

  /** Returns the job's rank, lowest first. */
  long rank(JobView job);

  /**
   * Returns the order of queues, which precedes the ranks of jobs; empty by default. A policy that
   * {@linkplain #preempts() pre-empts} must not order queues: ranks do not tell what one queue may
   * reclaim from another.
   */
  default Optional<QueueOrder> queueOrder() {
    return Optional.empty();
  }

  /**
   * Returns true if jobs that fit may bypass jobs that do not. Otherwise the first job that does
   * not fit blocks all behind it; in a queue tree, those behind it in its queue.
   */
  boolean allowsBypass();

  /**
   * Returns true if a job that does not fit may pre-empt pre-emptible running jobs of strictly
   * higher rank. False by default.
   */
  default boolean preempts() {
    return false;
  }

  /**
   * Returns true if ranks are remaining times in nanoseconds, so that a running job's rank falls
   * with time. {@link Long#MAX_VALUE}, for unknown, and 0 do not fall. False by default.
   */
  default boolean isRemainingTime() {
    return false;
  }

  /** Returns the job's new state, computed before its rank; unchanged by default. */
  default PolicyState policyState(JobView job) {
    return job.policyState();
  }

  /**
   * Returns the next time at which the job's state or rank changes without an event; never by
   * default. The answer must be the same whenever it is asked between two events of the job; an
   * instant not after {@link JobView#now()} counts as never.
   */
  default Optional<Instant> nextReview(JobView job) {
    return Optional.empty();
  }
}
