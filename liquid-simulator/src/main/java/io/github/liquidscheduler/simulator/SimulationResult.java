package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.simulator.metrics.JctStatistics;
import io.github.liquidscheduler.simulator.metrics.JobOutcome;
import io.github.liquidscheduler.simulator.storage.LaunchReport;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The result of a simulation.
 *
 * @param fates the outcome of each job, in the order of the trace; at least one
 * @param usage the use of the GPUs
 * @param counts the counts
 * @param decisionsDigest the SHA-256, in hexadecimal, of all decisions and their times: equal for
 *     equal decisions, on every machine
 */
public record SimulationResult(
    List<JobFate> fates, Usage usage, Counts counts, String decisionsDigest) {

  /** Checks and copies the parts. */
  public SimulationResult {
    fates = List.copyOf(fates);
    Objects.requireNonNull(usage, "usage");
    Objects.requireNonNull(counts, "counts");
    Objects.requireNonNull(decisionsDigest, "decisionsDigest");
  }

  /**
   * Returns the result of a run in which every job finished, whose GPUs were useful whenever held.
   *
   * @param outcomes at least one, in the order of the trace
   * @param gpus the number of GPUs of the cluster
   */
  public static SimulationResult finished(List<JobOutcome> outcomes, int gpus, String digest) {
    double offered = (double) gpus * JctStatistics.of(outcomes).makespan().toSeconds();
    double held =
        outcomes.stream()
            .mapToDouble(outcome -> (double) outcome.job().gpus() * outcome.running().toSeconds())
            .sum();
    double utilization = offered == 0 ? 0 : held / offered;
    long preemptions = outcomes.stream().mapToLong(JobOutcome::preemptions).sum();
    return new SimulationResult(
        outcomes.stream().<JobFate>map(job -> new JobFate.Finished(job, 0)).toList(),
        new Usage(utilization, utilization, OptionalDouble.empty()),
        new Counts(preemptions, 0, 0, OptionalLong.empty(), OptionalLong.empty()),
        digest);
  }

  /** Returns the same without the jobs that finished. */
  public RunSummary summary() {
    return new RunSummary(
        finished().size(), rejected(), unfinished(), statistics(), usage, counts, decisionsDigest);
  }

  /** Returns completion times, queueing times and makespan, or empty if no job finished. */
  public Optional<JctStatistics> statistics() {
    List<JobOutcome> outcomes =
        of(JobFate.Finished.class).stream().map(JobFate.Finished::outcome).toList();
    return outcomes.isEmpty() ? Optional.empty() : Optional.of(JctStatistics.of(outcomes));
  }

  /** Returns the jobs that finished, in the order of the trace. */
  public List<JobFate.Finished> finished() {
    return of(JobFate.Finished.class);
  }

  /** Returns the jobs that could never run, in the order of the trace. */
  public List<JobFate.Rejected> rejected() {
    return of(JobFate.Rejected.class);
  }

  /** Returns the jobs that were left when the simulation ended, in the order of the trace. */
  public List<JobFate.Unfinished> unfinished() {
    return of(JobFate.Unfinished.class);
  }

  private <T extends JobFate> List<T> of(Class<T> kind) {
    return fates.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /**
   * The use of the GPUs between the first submission and the end, as fractions from 0 to 1; the
   * second may exceed 1 if jobs share GPUs.
   *
   * @param utilization the GPU time that jobs held, of all GPU time
   * @param usefulUtilization the GPU time of productive work, of all GPU time: without overheads
   *     and without repeated work
   * @param fragmentation while jobs waited, the free GPU time on nodes too full for their part of
   *     the largest waiting gang, of all free GPU time: all of the gang if it is no larger than the
   *     node, else the whole node. 0 if nothing was free while jobs waited; empty if the simulation
   *     knows no nodes. This is the fragmentation of Weng et al. (ATC 2023) with the largest
   *     waiting gang as the only task
   */
  public record Usage(double utilization, double usefulUtilization, OptionalDouble fragmentation) {
    /** Checks that nothing is null. */
    public Usage {
      Objects.requireNonNull(fragmentation, "fragmentation");
    }
  }

  /**
   * The counts of a simulation.
   *
   * @param preemptions how often the scheduler stopped a running job
   * @param failures how often a lost node or GPU, or a lack of memory, stopped one
   * @param outOfMemory how many of the failures were for lack of memory
   * @param events the events that the scheduler was given, if it was one
   * @param decisions the decisions it took, if it was one
   * @param sizes the size changes, if jobs are elastic
   * @param promises the reservations promised and kept, if counted
   * @param launches the launch report, if jobs read from a storage
   */
  public record Counts(
      long preemptions,
      long failures,
      long outOfMemory,
      OptionalLong events,
      OptionalLong decisions,
      Optional<SizeCounts> sizes,
      Optional<PromiseCounts> promises,
      Optional<LaunchReport> launches) {
    /** Checks that nothing is null. */
    public Counts {
      Objects.requireNonNull(events, "events");
      Objects.requireNonNull(decisions, "decisions");
      Objects.requireNonNull(sizes, "sizes");
      Objects.requireNonNull(promises, "promises");
      Objects.requireNonNull(launches, "launches");
    }

    /** Counts jobs whose size does not change and that read nothing, and no promises. */
    public Counts(
        long preemptions,
        long failures,
        long outOfMemory,
        OptionalLong events,
        OptionalLong decisions) {
      this(
          preemptions,
          failures,
          outOfMemory,
          events,
          decisions,
          Optional.empty(),
          Optional.empty(),
          Optional.empty());
    }
  }

  /** The jobs first promised a start in the future, and those that started no later than that. */
  public record PromiseCounts(long made, long kept) {}

  /** How often a worker of an elastic job became slow, and how many of these were replaced. */
  public record StragglerCounts(long slowed, long replaced) {}

  /**
   * Size changes of elastic jobs.
   *
   * @param resizes the changes of running jobs
   * @param starts the starts, first ones included
   * @param lostSeconds the seconds for which jobs held GPUs idle: for size changes, restarts, GPUs
   *     not yet left by others, and profiles; empty if not counted
   * @param meanGpus the mean number of GPUs of a running job over its time; empty if not counted
   * @param stragglers the slow workers; empty if none could be
   */
  public record SizeCounts(
      long resizes,
      long starts,
      OptionalDouble lostSeconds,
      OptionalDouble meanGpus,
      Optional<StragglerCounts> stragglers) {
    /** Checks that nothing is null. */
    public SizeCounts {
      Objects.requireNonNull(lostSeconds, "lostSeconds");
      Objects.requireNonNull(meanGpus, "meanGpus");
      Objects.requireNonNull(stragglers, "stragglers");
    }
  }
}
