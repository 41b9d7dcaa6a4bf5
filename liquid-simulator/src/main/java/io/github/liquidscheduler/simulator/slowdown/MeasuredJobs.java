package io.github.liquidscheduler.simulator.slowdown;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.simulator.input.WorkloadName;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.simulator.truth.GroundTruth;
import io.github.liquidscheduler.simulator.truth.ThroughputTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of a trace, with the measured interference of those in a {@link SlowdownTable}. A job is
 * known if the table has its workload on a GPU model of the cluster; only known jobs of one GPU may
 * share it, since pairs were measured on one.
 *
 * <p>Jobs of a trace with durations report the iterations per second of their workload alone in the
 * table, or one. Immutable.
 */
public final class MeasuredJobs {

  private final SlowdownTable table;
  private final GroundTruth alone;
  private final List<GpuModel> gpus;
  private final Map<String, Workload> byName = new LinkedHashMap<>();
  private final Map<Workload, Workload> byStated = new LinkedHashMap<>();
  private final List<TraceJob> unknown = new ArrayList<>();
  private final Trace trace;

  private MeasuredJobs(
      Trace trace, SlowdownTable table, ClusterTopology cluster, GroundTruth alone) {
    this.table = table;
    this.alone = alone;
    gpus = List.copyOf(cluster.gpusByModel().keySet());
    trace.jobs().forEach(this::find);
    this.trace =
        alone instanceof ThroughputTable
            ? trace
            : trace.withJobs(job -> mayShare(job) ? reporting(job) : job);
  }

  /**
   * Finds the jobs of a trace in a table.
   *
   * @param alone the speed of jobs that have their GPUs to themselves
   * @throws IllegalArgumentException if the table has nothing about the GPU models of the cluster,
   *     no job may share, or a job leaves open which of several workloads of the table it has
   */
  public static MeasuredJobs of(
      Trace trace, SlowdownTable table, ClusterTopology cluster, GroundTruth alone) {
    MeasuredJobs jobs = new MeasuredJobs(trace, table, cluster, alone);
    jobs.requireSome(cluster);
    return jobs;
  }

  private void find(TraceJob job) {
    String name = job.model().orElse("");
    if (!byName.containsKey(name)) {
      List<Workload> matching = name.isBlank() ? List.of() : matching(WorkloadName.parse(name));
      if (matching.size() > 1) {
        throw ambiguous(job, matching);
      }
      if (matching.size() == 1) {
        byName.put(name, matching.getFirst());
        byStated.put(WorkloadName.parse(name), matching.getFirst());
      }
    }
    if (!byName.containsKey(name)) {
      unknown.add(job);
    }
  }

  private List<Workload> matching(Workload stated) {
    return table.matching(stated).stream()
        .filter(each -> gpus.stream().anyMatch(gpu -> table.isMeasuredOn(gpu, each)))
        .toList();
  }

  private IllegalArgumentException ambiguous(TraceJob job, List<Workload> matching) {
    return new IllegalArgumentException(
        "a job must have one workload of %s, but %s may be any of %s. State its batch size and precision in the trace"
            .formatted(table.source(), job, names(matching)));
  }

  private void requireSome(ClusterTopology cluster) {
    if (gpus.stream().noneMatch(table::isMeasuredOn)) {
      throw new IllegalArgumentException(
          "%s must have pairs on a GPU model of the cluster, %s, but has pairs on %s only"
              .formatted(table.source(), cluster.gpusByModel().keySet(), table.gpus()));
    }
    if (trace.jobs().stream().noneMatch(this::mayShare)) {
      TraceJob first = trace.jobs().getFirst();
      throw new IllegalArgumentException(
          "%s: some job must be on one GPU and train what %s has on it, such as %s, but the first, %s, is on %d and trains %s"
              .formatted(
                  trace.source(),
                  table.source(),
                  names(table.workloads().subList(0, 1)),
                  first,
                  first.gpus(),
                  first.model().map(name -> "'" + name + "'").orElse("nothing that is told")));
    }
  }

  private static String names(List<Workload> workloads) {
    return workloads.stream()
        .map(workload -> "'" + WorkloadName.of(workload) + "'")
        .collect(Collectors.joining(", "));
  }

  /** Returns all jobs, known or not; those that may share report their progress. */
  public Trace trace() {
    return trace;
  }

  /** Returns the jobs that the table does not know, in the order of the trace. */
  public List<TraceJob> unknown() {
    return List.copyOf(unknown);
  }

  /** Returns the table. */
  public SlowdownTable table() {
    return table;
  }

  /** Returns true if a job of the trace may share its GPU. */
  public boolean mayShare(TraceJob job) {
    return job.gpus() == 1 && byName.containsKey(job.model().orElse(""));
  }

  /** Returns the ground truth of the jobs, alone and beside each other. */
  public GroundTruth truth() {
    return new MeasuredSlowdowns(alone, this);
  }

  /** Returns the measurement of a job alone on a GPU model, with its rate in the simulation. */
  public ColocationProfile profile(JobSpec job, GpuModel gpu) {
    @Nullable Workload known = byStated.get(job.workload());
    if (known == null) {
      return ColocationProfile.of(job);
    }
    ColocationProfile measured = table.profile(known, gpu);
    return new ColocationProfile(
        known,
        rate(job.workload(), known, gpu),
        measured.utilization(),
        measured.memoryBandwidthUtilization(),
        measured.memoryBytes());
  }

  /** Returns the retained speed of one job beside another; empty if the table lacks the pair. */
  public OptionalDouble retained(GpuModel gpu, JobSpec victim, JobSpec other) {
    return retained(gpu, byStated.get(victim.workload()), byStated.get(other.workload()));
  }

  OptionalDouble retained(GpuModel gpu, TraceJob victim, TraceJob other) {
    return retained(
        gpu, byName.get(victim.model().orElse("")), byName.get(other.model().orElse("")));
  }

  private OptionalDouble retained(
      GpuModel gpu, @Nullable Workload victim, @Nullable Workload other) {
    return victim == null || other == null
        ? OptionalDouble.empty()
        : table.retained(gpu, victim, other);
  }

  private double rate(Workload stated, Workload known, GpuModel gpu) {
    if (alone instanceof ThroughputTable throughputs) {
      TraceJob like = TraceJob.builder("alike").model(WorkloadName.of(stated)).build();
      return throughputs.knows(like) ? throughputs.iterationsPerSecond(like, gpu) : Double.NaN;
    }
    return recordedRate(known);
  }

  /** A recorded duration is the same on all GPU models, and so is the rate. */
  private double recordedRate(Workload known) {
    return gpus.stream()
        .mapToDouble(gpu -> table.profile(known, gpu).isolatedRate())
        .filter(rate -> rate > 0)
        .findFirst()
        .orElse(1);
  }

  private TraceJob reporting(TraceJob job) {
    @Nullable Workload known = byName.get(job.model().orElse(""));
    if (known == null || job.duration().isEmpty()) {
      return job;
    }
    double count = job.duration().get().toNanos() / 1e9 * recordedRate(known);
    return job.toBuilder()
        .iterations(Math.clamp(Math.round(count), 1, TraceJob.MOST_ITERATIONS))
        .build();
  }
}
