package io.github.liquidscheduler.placement.colocation.monitor;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.LearnedState;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * Everything that a scheduler has learned from jobs that share GPUs.
 *
 * @param taken how many reports were taken in so far
 * @param reports the last report of each job that is remembered, by the names of the jobs
 * @param rates how fast jobs were seen to run alone, in the order in which that was first seen
 * @param bans which workloads are not to meet again, in the order in which they parted
 * @param learnedStates what the predictor has learned, in its own order
 */
public record ColocationRecord(
    long taken,
    List<Report> reports,
    List<Rate> rates,
    List<Ban> bans,
    List<LearnedState> learnedStates) {

  /**
   * Checks and copies the parts.
   *
   * @throws IllegalArgumentException if the number is negative, or a job is named twice
   */
  public ColocationRecord {
    reports = List.copyOf(reports);
    rates = List.copyOf(rates);
    bans = List.copyOf(bans);
    learnedStates = List.copyOf(learnedStates);
    if (taken < 0) {
      throw new IllegalArgumentException(
          "the number of reports taken in must not be negative, but was " + taken);
    }
    JobId.requireDistinct(
        reports.stream().map(Report::job).toList(), "the reports of jobs that share GPUs");
  }

  /**
   * The last report of a job.
   *
   * @param job the job
   * @param coRunners the others on each of its GPUs at that time
   * @param retained the part of its speed alone that it kept, in (0, 1]; empty if nothing was
   *     measured in this co-runners yet
   */
  public record Report(JobId job, List<List<JobId>> coRunners, OptionalDouble retained) {
    /**
     * Checks and copies the parts.
     *
     * @throws IllegalArgumentException if the part is out of range
     */
    public Report {
      Objects.requireNonNull(job, "job");
      coRunners = coRunners.stream().map(List::copyOf).toList();
      requirePart(retained);
    }
  }

  /**
   * How fast jobs of a workload run alone.
   *
   * @param workload the workload
   * @param gpu the model of their GPUs
   * @param gpus how many GPUs they have, at least 1
   * @param iterationsPerSecond the mean of the last rates, positive
   * @param count over how many rates, at least 1
   */
  public record Rate(
      Workload workload, GpuModel gpu, int gpus, double iterationsPerSecond, int count) {
    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    public Rate {
      Objects.requireNonNull(workload, "workload");
      Objects.requireNonNull(gpu, "gpu");
      if (gpus < 1
          || count < 1
          || !(iterationsPerSecond > 0 && iterationsPerSecond < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "a rate must be positive, of at least one GPU and seen at least once, but was %s of %d,"
                    .formatted(iterationsPerSecond, gpus)
                + " seen %d times".formatted(count));
      }
    }
  }

  /**
   * Two workloads that are not to meet again.
   *
   * @param victim the workload that was slowed down
   * @param other the workload beside it
   * @param gpu the model of the GPU, as predictors know it
   * @param retained the part of its speed alone that the victim kept, in (0, 1]: it is kept from
   *     the other where it was promised more. Empty if the two do less together than one after the
   *     other, so that they never meet
   */
  public record Ban(Workload victim, Workload other, GpuModel gpu, OptionalDouble retained) {
    /**
     * Checks the part.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public Ban {
      Objects.requireNonNull(victim, "victim");
      Objects.requireNonNull(other, "other");
      Objects.requireNonNull(gpu, "gpu");
      requirePart(retained);
    }
  }

  private static void requirePart(OptionalDouble retained) {
    if (retained.isPresent() && !(retained.getAsDouble() > 0 && retained.getAsDouble() <= 1)) {
      throw new IllegalArgumentException(
          "the part of its speed that a job keeps must be in (0, 1], but was "
              + retained.getAsDouble());
    }
  }
}
