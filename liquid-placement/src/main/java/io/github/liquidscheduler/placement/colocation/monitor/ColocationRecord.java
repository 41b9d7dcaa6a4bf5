package io.github.liquidscheduler.placement.colocation.monitor;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.LearnedState;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.text.Count;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * The saved learned state of a scheduler about jobs that share GPUs.
 *
 * @param taken the number of reports so far
 * @param reports the last report of each job remembered, by job name
 * @param rates the rates measured alone, in order of first measurement
 * @param bans the co-location bans, in order of separation
 * @param learnedStates the learned states of the predictor, in its own order
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
   * @param coRunners its co-runners on each GPU at that time
   * @param retained its retained speed, in (0, 1]; empty if not yet measured beside these
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
   * The rate of a workload alone.
   *
   * @param gpu the model of their GPUs
   * @param gpus their number of GPUs, at least 1
   * @param iterationsPerSecond the mean of the last rates, positive
   * @param count the number of rates, at least 1
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
                + " seen "
                + Count.of(count, "time"));
      }
    }
  }

  /**
   * Two workloads that are not to be co-located again.
   *
   * @param gpu the model of the GPU, as predictors know it
   * @param retained the retained speed of the victim, in (0, 1]: the ban holds for higher floors.
   *     Empty if the two achieve less together than one after the other, so that the ban always
   *     holds
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
