package io.github.liquidscheduler.job;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of tasks of a job's roles at one of its sizes. The size is the number of tasks in
 * those roles that may have several.
 *
 * @param job the job, at its preferred size
 * @param tasks the tasks of each role, in the order of the job's roles; 0 where a role does not run
 */
public record RoleCounts(JobSpec job, List<Integer> tasks) {

  /**
   * Checks and copies the counts.
   *
   * @throws IllegalArgumentException if the job may not run with them
   */
  public RoleCounts {
    tasks = List.copyOf(tasks);
    if (tasks.size() != job.roles().size() || !isAllowed(job, tasks)) {
      throw new IllegalArgumentException(
          "the roles of a job must have as many tasks as it may run with, but had %s, for job '%s'"
              .formatted(tasks, job.id()));
    }
  }

  /** Returns true if a job may run with these numbers of tasks, one a role. */
  public static boolean isAllowed(JobSpec job, List<Integer> tasks) {
    int[] counts = ints(tasks);
    return job.rules().cut(counts) && Arrays.equals(counts, ints(tasks));
  }

  /** Returns the largest counts of a job that are nowhere above these; empty if it needs more. */
  public static Optional<RoleCounts> within(JobSpec job, List<Integer> most) {
    int[] counts = ints(most);
    return job.rules().cut(counts) ? Optional.of(of(job, counts)) : Optional.empty();
  }

  /** Returns the counts of a job at its smallest size. */
  static RoleCounts least(JobSpec job) {
    return of(job, job.rules().least());
  }

  /** Returns the number of tasks in the roles that may have several numbers of them. */
  public int size() {
    int size = 0;
    for (int role = 0; role < tasks.size(); role++) {
      size += job.rules().isSized(role) ? tasks.get(role) : 0;
    }
    return size;
  }

  /**
   * Returns the counts of another size, which the job comes to from these step by step; empty if it
   * comes to none.
   */
  public Optional<RoleCounts> at(int size) {
    int @Nullable [] counts = job.rules().at(size, ints(tasks));
    return counts == null ? Optional.empty() : Optional.of(of(job, counts));
  }

  /** Returns the next smaller counts; empty if there are none. */
  public Optional<RoleCounts> smaller() {
    int[] counts = ints(tasks);
    return job.rules().shrink(counts) ? Optional.of(of(job, counts)) : Optional.empty();
  }

  /** Returns the job with these tasks, and no other numbers of them. */
  public JobSpec sized() {
    return job.withTasks(tasks);
  }

  private static RoleCounts of(JobSpec job, int[] counts) {
    return new RoleCounts(job, Arrays.stream(counts).boxed().toList());
  }

  private static int[] ints(List<Integer> tasks) {
    int[] counts = new int[tasks.size()];
    for (int role = 0; role < counts.length; role++) {
      counts[role] = tasks.get(role);
    }
    return counts;
  }
}
