package io.github.liquidscheduler.lab.reference.elastic;

import io.github.liquidscheduler.simulator.JobFate;
import io.github.liquidscheduler.simulator.SimulationResult;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.ToDoubleFunction;

/**
 * What came of a simulation of elastic jobs.
 *
 * @param policy the name of the policy
 * @param gpus the GPUs of the cluster
 * @param jobs what became of each job, in the order of the trace; at least one
 * @param counts how often sizes changed
 * @param decisionsDigest the SHA-256, in hexadecimal, of all changes of size and ends with their
 *     times, by which runs that did the same are known
 */
public record ElasticRun(
    String policy, int gpus, List<FinishedJob> jobs, Counts counts, String decisionsDigest) {

  /** Checks and copies the parts. */
  public ElasticRun {
    jobs = List.copyOf(jobs);
    Objects.requireNonNull(counts, "counts");
    Objects.requireNonNull(decisionsDigest, "decisionsDigest");
  }

  /**
   * How often sizes changed.
   *
   * @param resizes from a size above 0 to another
   * @param starts from 0 to a size above 0, first starts included
   * @param preemptions from a size above 0 to 0
   */
  public record Counts(long resizes, long starts, long preemptions) {}

  /** Returns the run in the form of a simulation. */
  public SimulationResult result() {
    return new SimulationResult(
        jobs.stream().<JobFate>map(job -> new JobFate.Finished(job.outcome(), 0)).toList(),
        new SimulationResult.Usage(utilization(), usefulUtilization(), OptionalDouble.empty()),
        new SimulationResult.Counts(
            counts.preemptions(),
            0,
            0,
            OptionalLong.empty(),
            OptionalLong.empty(),
            Optional.of(
                new SimulationResult.SizeCounts(
                    counts.resizes(),
                    counts.starts(),
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    Optional.empty())),
            Optional.empty(),
            Optional.empty()),
        decisionsDigest);
  }

  /** Returns the average completion time in seconds. */
  public double averageCompletion() {
    return jobs.stream().mapToDouble(FinishedJob::completion).average().orElseThrow();
  }

  /** Returns the seconds from the first arrival to the last end. */
  public double makespan() {
    double last = jobs.stream().mapToDouble(FinishedJob::end).max().orElseThrow();
    return last - jobs.stream().mapToLong(job -> job.job().arrival()).min().orElseThrow();
  }

  /** Returns the share of the GPU time of the makespan that jobs held, from 0 to 1. */
  public double utilization() {
    return share(FinishedJob::gpuSeconds);
  }

  /** Returns the share of the GPU time of the makespan in which jobs progressed, from 0 to 1. */
  public double usefulUtilization() {
    return share(FinishedJob::usefulGpuSeconds);
  }

  private double share(ToDoubleFunction<FinishedJob> gpuSeconds) {
    return jobs.stream().mapToDouble(gpuSeconds).sum() / (gpus * makespan());
  }
}
