package io.github.liquidscheduler.scheduling;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Everything a scheduler remembers of one waiting or running job.
 *
 * @param job the job
 * @param sequence its number among all submissions, from 0; it breaks the ties of every policy
 * @param submittedAt when it was submitted
 * @param since when it last started, stopped or was submitted, whichever was last
 * @param executed for how long it has run, until {@code since}
 * @param attained the GPU time it has had, until {@code since}: running time times GPUs
 * @param forgiven the part of it that counts no more, since the job was promoted after starving
 * @param preemptions how often it was stopped
 * @param bypassed how many jobs behind it were started by plans while it could wait
 * @param level the priority level of policies that keep several, 0 being served first
 * @param remaining the time it still needs at its size by the last report, as of {@code
 *     remainingAt}
 * @param remainingAt when that was
 * @param placement where it runs, or empty if it waits
 */
public record JobRecord(
    JobSpec job,
    long sequence,
    Instant submittedAt,
    Instant since,
    Duration executed,
    Duration attained,
    Duration forgiven,
    int preemptions,
    int bypassed,
    int level,
    Optional<Duration> remaining,
    Optional<Instant> remainingAt,
    Optional<Placement> placement) {

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if the placement is of another job
   */
  public JobRecord {
    Objects.requireNonNull(job, "job");
    Objects.requireNonNull(submittedAt, "submittedAt");
    Objects.requireNonNull(since, "since");
    Objects.requireNonNull(executed, "executed");
    Objects.requireNonNull(attained, "attained");
    Objects.requireNonNull(forgiven, "forgiven");
    Objects.requireNonNull(remaining, "remaining");
    Objects.requireNonNull(remainingAt, "remainingAt");
    placement.ifPresent(place -> requireOf(job, place));
  }

  private static void requireOf(JobSpec job, Placement placement) {
    if (!placement.job().equals(job.id())) {
      throw new IllegalArgumentException(
          "a record's placement must be of its job, but is of '%s', for job '%s'"
              .formatted(placement.job(), job.id()));
    }
  }
}
