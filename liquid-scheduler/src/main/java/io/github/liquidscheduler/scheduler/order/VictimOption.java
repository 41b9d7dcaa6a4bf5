package io.github.liquidscheduler.scheduler.order;

import io.github.liquidscheduler.scheduler.policy.GpuTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * A way in which a running job could give way to another.
 *
 * @param right why it has to
 * @param rank its rank by the policy, lowest first; it counts among jobs that give way for their
 *     rank. Submission is no part of it
 * @param action what would happen to it
 * @param harm the GPU time that is lost, see {@link #gpuTime}
 * @param beyondNeed what it would free beyond the need, see {@link #excess}
 * @param startedAt its last start
 * @param sequence the number of earlier submissions, which breaks ties
 */
public record VictimOption(
    TakingRight right,
    long rank,
    Action action,
    Duration harm,
    long beyondNeed,
    Instant startedAt,
    long sequence) {

  /** What happens to a victim; the gentlest first. */
  public enum Action {
    /** It goes on with fewer tasks. */
    SHRINK,
    /** It goes on elsewhere. */
    MOVE,
    /** It stops as a whole. */
    STOP
  }

  /**
   * Checks the option.
   *
   * @throws IllegalArgumentException if harm or excess is negative
   */
  public VictimOption {
    Objects.requireNonNull(right, "right");
    Objects.requireNonNull(action, "action");
    Objects.requireNonNull(startedAt, "startedAt");
    if (harm.isNegative() || beyondNeed < 0) {
      throw new IllegalArgumentException(
          "harm and excess of a victim must not be negative, but were %s and %d"
              .formatted(harm, beyondNeed));
    }
  }

  /**
   * Returns the harm in GPU time: the work since the last checkpoint times the GPUs of a job that
   * stops, the pause times the GPUs of one that shrinks or moves.
   *
   * @param lost the unsaved work, or the pause
   * @param thousandths the thousandths of GPUs that the job holds
   */
  public static Duration gpuTime(Duration lost, int thousandths) {
    return GpuTime.times(lost, thousandths).dividedBy(1000);
  }

  /** Returns what is freed beyond the need. */
  public static long excess(long freed, long needed) {
    return Math.max(0, freed - needed);
  }
}
