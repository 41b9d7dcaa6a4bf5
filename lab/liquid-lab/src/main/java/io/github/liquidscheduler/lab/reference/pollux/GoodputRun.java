package io.github.liquidscheduler.lab.reference.pollux;

import java.util.List;

/**
 * What came of a simulation.
 *
 * @param policy the policy that decided
 * @param jobs what became of each job, in the order of the workload; at least one
 */
public record GoodputRun(GoodputPolicies policy, List<CompletedJob> jobs) {

  /** Copies the jobs. */
  public GoodputRun {
    jobs = List.copyOf(jobs);
  }

  /** Returns the average job completion time in seconds. */
  public double averageCompletion() {
    return jobs.stream().mapToLong(CompletedJob::completion).average().orElseThrow();
  }

  /** Returns the seconds from the start of the workload to the last end. */
  public long makespan() {
    return jobs.stream().mapToLong(CompletedJob::end).max().orElseThrow();
  }

  /** Returns how often the GPUs of a job changed after its first start, per job. */
  public double restartsPerJob() {
    return jobs.stream().mapToInt(CompletedJob::restarts).average().orElseThrow();
  }
}
