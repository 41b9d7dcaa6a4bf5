package io.github.liquidscheduler.planner.problem;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.planning.PlanRequest;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The weight of starting each of the pending jobs: its GPUs, more for each level of priority below
 * it, and very little more for each job behind it, so that of equal jobs the last waits.
 */
public final class AdmissionWeight {

  /** How many jobs, the first in the order of the policy, are told apart by that order alone. */
  private static final int IN_TURN = 1_000;

  /** The weight of a GPU of a started job; more than the order of all jobs together. */
  public static final long OF_GPU = IN_TURN * (IN_TURN + 1) / 2 + 1;

  private final Map<JobId, Long> weights = new LinkedHashMap<>();
  private long all;

  /**
   * Weighs jobs.
   *
   * @param pending all of them, in the order of the policy
   * @param deferrable those that may be bypassed, so that their order does not count
   */
  public AdmissionWeight(List<JobSpec> pending, Set<JobId> deferrable) {
    Map<Integer, Long> ranks = new LinkedHashMap<>();
    pending.stream()
        .map(JobSpec::priority)
        .sorted()
        .distinct()
        .forEach(priority -> ranks.put(priority, ranks.size() + 1L));
    for (JobSpec job : pending) {
      long rank = Objects.requireNonNull(ranks.get(job.priority()));
      long inTurn = deferrable.contains(job.id()) ? 0 : Math.max(0, IN_TURN - weights.size());
      long weight = OF_GPU * job.gpus() * rank + inTurn;
      weights.put(job.id(), weight);
      all += weight;
    }
  }

  /** Returns the weight of starting a pending job. */
  long of(JobId job) {
    return Objects.requireNonNull(weights.get(job));
  }

  /** Returns the weight of starting these jobs. */
  public long of(Collection<JobId> jobs) {
    return jobs.stream().mapToLong(this::of).sum();
  }

  /** Returns the weight of the GPUs that jobs started with fewer than they prefer. */
  public long missing(PlanRequest request, List<Placement> starts) {
    long missing = 0;
    Map<JobId, JobSpec> jobs = new LinkedHashMap<>();
    request.pending().forEach(job -> jobs.put(job.id(), job));
    for (Placement start : starts) {
      JobSpec job = Objects.requireNonNull(jobs.get(start.job()));
      missing += missing(job, job.tasks() - start.tasks().size());
    }
    return missing;
  }

  /** Returns the weight of the tasks that a pending job lacks of its preferred size. */
  long missing(JobSpec job, int tasks) {
    return tasks > 0 ? of(job.id()) / job.tasks() * tasks : 0;
  }

  /** Returns the weight of starting all of them. */
  long ofAll() {
    return all;
  }
}
