package io.github.liquidscheduler.rounds.planner;

import io.github.liquidscheduler.job.JobId;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The tasks of each GPU in the order in which they run there, and when the last task of each job
 * has synchronized, in seconds, in the order of the jobs.
 */
public record RoundPlan(List<List<Run>> sequences, Map<JobId, Double> ends) {

  /**
   * A task on its GPU: when it begins to compute, when it has computed and the GPU is free, and
   * when it has synchronized; in seconds.
   */
  public record Run(
      JobId job, int round, int task, double start, double end, double synchronizedAt) {

    /** Returns a task that starts at {@code start} where it takes {@code time}. */
    public static Run of(RoundJob job, int round, int task, double start, TaskTime time) {
      double end = start + time.compute();
      return new Run(job.id(), round, task, start, end, end + time.synchronize());
    }

    static void sortByStart(List<Run> runs) {
      runs.sort(Comparator.comparingDouble(Run::start));
    }
  }

  /** Copies the sequences. */
  public RoundPlan {
    sequences = sequences.stream().map(List::copyOf).toList();
    Objects.requireNonNull(ends, "ends");
  }

  /** Returns the mean time from the arrival of a job to its end, in seconds; 0 without jobs. */
  public double averageJct(RoundProblem problem) {
    return problem.jobs().stream().mapToDouble(job -> end(job) - job.arrival()).average().orElse(0);
  }

  /** Returns the sum of the times from arrival to end of all jobs, each times its weight. */
  public double weightedJct(RoundProblem problem) {
    return problem.jobs().stream()
        .mapToDouble(job -> job.weight() * (end(job) - job.arrival()))
        .sum();
  }

  /** Returns the sum of the ends of all jobs, each times its weight: what Hare makes least. */
  public double weightedEnd(RoundProblem problem) {
    return problem.jobs().stream().mapToDouble(job -> job.weight() * end(job)).sum();
  }

  /** Returns when the last job ends, in seconds; 0 without jobs. */
  public double makespan() {
    return ends.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
  }

  /** Returns when the last task of a job has synchronized, in seconds. */
  public double end(RoundJob job) {
    return Objects.requireNonNull(ends.get(job.id()), () -> "no end of job '" + job.id() + "'");
  }
}
