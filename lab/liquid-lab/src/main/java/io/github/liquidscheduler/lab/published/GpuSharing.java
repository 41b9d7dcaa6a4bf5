package io.github.liquidscheduler.lab.published;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.lab.baseline.PublishedColocationPolicies;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.SharingTrigger;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.simulator.JobFate;
import io.github.liquidscheduler.simulator.Simulation;
import io.github.liquidscheduler.simulator.conditions.DurationKnowledge;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.simulator.truth.GroundTruth;
import io.github.liquidscheduler.text.Count;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Liquid's GPU sharing (Gu et al., TPDS 33(11), 2022): the total time of jobs of one kind that come
 * 5 s apart, as in the released driver, alone on GPUs and sharing them. {@code
 * lab/liquid-lab/docs/reproduction.md} says what the paper leaves open. Immutable.
 *
 * @param cluster the nodes and GPUs
 * @param job what every job is; its id is only the start of theirs
 * @param jobs how many jobs, at least 1
 * @param truth how long they take, and how they slow each other down
 */
public record GpuSharing(ClusterTopology cluster, TraceJob job, int jobs, GroundTruth truth) {

  /** The part of all GPUs in use from which on jobs share, in Liquid's experiments. */
  public static final double THRESHOLD = 0.75;

  /** The limit on the sum of utilisations in Liquid's experiments: none, in effect. */
  public static final double UTILIZATION_LIMIT = 100;

  private static final Duration BETWEEN_JOBS = Duration.ofSeconds(5);

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if there is no job, or it is not of one GPU
   */
  public GpuSharing {
    Objects.requireNonNull(cluster, "cluster");
    Objects.requireNonNull(truth, "truth");
    if (jobs < 1 || job.gpus() != 1) {
      throw new IllegalArgumentException(
          "jobs must be at least 1, each of one GPU, but were %d of %d"
              .formatted(jobs, job.gpus()));
    }
  }

  /** Returns Liquid's rule as in its experiments, for at most two jobs on a GPU. */
  public static Colocation liquid() {
    return Colocation.builder(PublishedColocationPolicies.liquid(UTILIZATION_LIMIT))
        .trigger(SharingTrigger.aboveUtilization(THRESHOLD))
        .build();
  }

  /**
   * Returns the ground truth by which a job takes as long as recorded, and retains a speed beside
   * one other.
   *
   * @param retained in (0, 1.05]; beside several the product
   */
  public static GroundTruth retaining(double retained) {
    return new Slowed(GroundTruth.asRecorded(), retained);
  }

  /** Returns the time from the first arrival to the last end if no jobs share. */
  public Duration exclusive() {
    return total(LiquidScheduler.builder(cluster), each -> new Sharing.Exclusive());
  }

  /** Returns the time from the first arrival to the last end if all may share. */
  public Duration shared(Colocation colocation) {
    return total(
        LiquidScheduler.builder(cluster).colocation(colocation),
        each -> new Sharing.Opportunistic());
  }

  /** Returns what part of the total time sharing saves; negative if it costs time. */
  public double saving(Colocation colocation) {
    return 1 - (double) shared(colocation).toNanos() / exclusive().toNanos();
  }

  private Duration total(LiquidScheduler.Builder scheduler, Function<TraceJob, Sharing> sharing) {
    List<JobFate.Finished> finished =
        Simulation.builder(trace(), scheduler.policy(Policies.bestEffortFifo()).build())
            .speed(truth)
            .durationKnowledge(DurationKnowledge.nothing())
            .sharing(sharing)
            .build()
            .run()
            .finished();
    if (finished.size() < jobs) {
      throw new IllegalStateException(
          "%d of %s did not finish: they do not fit beside each other"
              .formatted(jobs - finished.size(), Count.of(jobs, "job")));
    }
    return finished.stream()
        .map(fate -> fate.outcome().end())
        .max(Duration::compareTo)
        .orElseThrow();
  }

  private Trace trace() {
    return Trace.of(
        jobs + " x " + job.id(),
        IntStream.range(0, jobs)
            .mapToObj(
                number ->
                    job.toBuilder(job.id() + "-" + number)
                        .submit(BETWEEN_JOBS.multipliedBy(number))
                        .build())
            .toList());
  }

  /** Jobs that slow each other down by one factor. */
  private record Slowed(GroundTruth alone, double retained) implements GroundTruth {
    @Override
    public Duration work(TraceJob job) {
      return alone.work(job);
    }

    @Override
    public double rate(TraceJob job, Placement placement, ClusterTopology topology) {
      return alone.rate(job, placement, topology);
    }

    @Override
    public double retained(TraceJob job, List<TraceJob> others, GpuModel gpu) {
      return Math.pow(retained, others.size());
    }
  }
}
