package io.github.liquidscheduler.simulator.rounds;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.rounds.planner.RoundJob;
import io.github.liquidscheduler.rounds.planner.RoundPlan;
import io.github.liquidscheduler.rounds.planner.RoundProblem;
import io.github.liquidscheduler.rounds.planner.TaskTime;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.metrics.JobOutcome;
import io.github.liquidscheduler.simulator.metrics.RunDigest;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.simulator.truth.GroundTruth;
import io.github.liquidscheduler.simulator.truth.ThroughputTable;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A trace whose jobs train in rounds on the GPUs of a cluster, whatever their nodes: a job has one
 * task per GPU in each round, which may run one after another on fewer. A round takes the given
 * time on the fastest GPUs of the throughput table, and the number of rounds is the nearest to the
 * work of the job. Synchronising is part of the throughput, and so of computing.
 *
 * <p>Without a throughput table all GPUs are alike, and the trace has to tell durations.
 */
public final class TraceRounds {

  private final ClusterTopology cluster;
  private final GroundTruth speed;
  private final NamedRoundAlgorithm algorithm;
  private final Duration roundLength;

  private TraceRounds(
      ClusterTopology cluster,
      GroundTruth speed,
      NamedRoundAlgorithm algorithm,
      Duration roundLength) {
    this.cluster = cluster;
    this.speed = speed;
    this.algorithm = algorithm;
    this.roundLength = roundLength;
  }

  /**
   * Returns the simulator.
   *
   * @param policy the name of a {@linkplain NamedRoundAlgorithm round algorithm}, or {@code hare}:
   *     the order of Hare, planned again when jobs arrive and end, and none known before
   * @param roundLength how long a round takes on the fastest GPUs, positive
   * @throws IllegalArgumentException if there is no such policy or the length is not positive
   */
  public static TraceRounds of(
      ClusterTopology cluster, GroundTruth speed, String policy, Duration roundLength) {
    if (roundLength.isNegative() || roundLength.isZero()) {
      throw new IllegalArgumentException("a round must take some time, but takes " + roundLength);
    }
    NamedRoundAlgorithm algorithm =
        policy.equals("hare") ? NamedRoundAlgorithm.ROLLING : NamedRoundAlgorithm.named(policy);
    return new TraceRounds(cluster, speed, algorithm, roundLength);
  }

  /**
   * Returns the trace as jobs of rounds, on the GPUs in the order of the nodes.
   *
   * @throws IllegalArgumentException if a job cannot run on every GPU model of the cluster
   */
  public RoundProblem problem(Trace trace) {
    Set<GpuModel> models = cluster.gpusByModel().keySet();
    return new RoundProblem(
        trace.jobs().stream().map(job -> job(job, models)).toList(),
        cluster.nodes().stream().map(Node::gpus).flatMap(List::stream).map(Gpu::model).toList());
  }

  private RoundJob job(TraceJob job, Set<GpuModel> models) {
    double work = seconds(speed.work(job));
    int rounds = (int) Math.max(1, Math.round(work / seconds(roundLength)));
    Map<GpuModel, TaskTime> times = new LinkedHashMap<>();
    for (GpuModel model : models) {
      times.put(model, new TaskTime(wholeTime(job, model, work) / rounds, 0));
    }
    return new RoundJob(JobId.of(job.id()), seconds(job.submit()), 1, rounds, job.gpus(), times);
  }

  /** Returns how long the job runs if all its GPUs are of a model, in seconds. */
  private double wholeTime(TraceJob job, GpuModel model, double work) {
    if (!(speed instanceof ThroughputTable table)) {
      return Math.max(work, 1e-9);
    }
    double rate = table.iterationsPerSecond(job, model);
    if (!(rate > 0)) {
      throw new IllegalArgumentException(
          "a job of rounds must run on every GPU model of the cluster, but %s has no speed on %s, for %s"
              .formatted(table.source(), model, job));
    }
    return Math.max(job.iterations().orElseThrow() / rate, 1e-9);
  }

  /** Returns when each task of a trace runs. */
  public RoundPlan plan(Trace trace) {
    return algorithm.with(RoundSettings.DEFAULTS).plan(problem(trace));
  }

  /** Runs a trace. */
  public SimulationResult run(Trace trace) {
    return run(trace, plan(trace));
  }

  /** Returns the result of a trace under a plan. */
  public static SimulationResult run(Trace trace, RoundPlan plan) {
    Map<JobId, Held> held = new HashMap<>();
    for (List<RoundPlan.Run> sequence : plan.sequences()) {
      sequence.forEach(run -> held.computeIfAbsent(run.job(), job -> new Held()).add(run));
    }
    List<JobOutcome> outcomes =
        trace.jobs().stream()
            .map(job -> outcome(job, Objects.requireNonNull(held.get(JobId.of(job.id())))))
            .toList();
    return SimulationResult.finished(outcomes, plan.sequences().size(), digest(plan));
  }

  private static final class Held {
    double first = Double.POSITIVE_INFINITY;
    double last;
    double gpuSeconds;

    void add(RoundPlan.Run run) {
      first = Math.min(first, run.start());
      last = Math.max(last, run.synchronizedAt());
      gpuSeconds += run.end() - run.start();
    }
  }

  private static JobOutcome outcome(TraceJob job, Held held) {
    Duration first = max(job.submit(), duration(held.first));
    Duration end = max(first, duration(held.last));
    Duration running = duration(held.gpuSeconds / job.gpus());
    Duration longest = end.minus(first);
    return new JobOutcome(job, first, end, running.compareTo(longest) > 0 ? longest : running, 0);
  }

  private static Duration max(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  private static String digest(RoundPlan plan) {
    RunDigest digest = new RunDigest();
    for (int gpu = 0; gpu < plan.sequences().size(); gpu++) {
      for (RoundPlan.Run run : plan.sequences().get(gpu)) {
        digest.add(
            "%d %s %d %d %d"
                .formatted(
                    gpu, run.job(), run.round(), run.task(), duration(run.start()).toNanos()));
      }
    }
    return digest.hexadecimal();
  }

  private static Duration duration(double seconds) {
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }

  private static double seconds(Duration time) {
    return time.getSeconds() + time.getNano() / 1e9;
  }
}
