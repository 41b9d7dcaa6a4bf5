package io.github.liquidscheduler.planning;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.Decision;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The proposal of a batch planner for a set of waiting jobs: which to start and where, which
 * running jobs to move for it, and which to leave waiting.
 *
 * @param number the number of the {@link Decision.RequestPlan} that it answers, from 1; 0 if it
 *     answers none
 * @param starts where the jobs that start run
 * @param migrations the running jobs to move before that, in this order
 * @param postponed the jobs that go on waiting, because all of them together do not fit
 * @param certificate how good the plan is
 */
public record BatchPlan(
    long number,
    List<Placement> starts,
    List<Migration> migrations,
    List<JobId> postponed,
    PlanCertificate certificate) {

  /**
   * Checks and copies the parts.
   *
   * @throws IllegalArgumentException if the number is negative, or a job is named twice
   */
  public BatchPlan {
    if (number < 0) {
      throw new IllegalArgumentException(
          "the number of a plan's request must not be negative, but was " + number);
    }
    starts = List.copyOf(starts);
    migrations = List.copyOf(migrations);
    postponed = List.copyOf(postponed);
    Objects.requireNonNull(certificate, "certificate");
    JobId.requireDistinct(named(starts, migrations, postponed), "the plan for request " + number);
  }

  /** Returns the same plan as the answer to a request. */
  public BatchPlan answering(long number) {
    return new BatchPlan(number, starts, migrations, postponed, certificate);
  }

  private static List<JobId> named(
      List<Placement> starts, List<Migration> migrations, List<JobId> postponed) {
    return Stream.of(
            starts.stream().map(Placement::job),
            migrations.stream().map(Migration::job),
            postponed.stream())
        .flatMap(jobs -> jobs)
        .toList();
  }
}
