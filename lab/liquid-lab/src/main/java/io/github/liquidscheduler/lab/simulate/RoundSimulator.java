package io.github.liquidscheduler.lab.simulate;

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
import io.github.liquidscheduler.simulator.rounds.NamedRoundAlgorithm;
import io.github.liquidscheduler.simulator.rounds.RoundSettings;
import io.github.liquidscheduler.simulator.rounds.TraceRounds;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.simulator.truth.GroundTruth;
import io.github.liquidscheduler.simulator.truth.ThroughputTable;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A trace whose jobs train in rounds on the GPUs of a cluster, whatever their nodes: a job has one
 * task per GPU in each round, which may run one after another on fewer. A round takes the given
 * time on the fastest GPUs of the throughput table, and the number of rounds is the nearest to the
 * work of the job. Synchronising is part of the throughput, and so of computing.
 *
 * <p>Without a throughput table all GPUs are alike, and the trace has to tell durations.
 */
final class RoundSimulator {

  private final ClusterTopology cluster;
  private final GroundTruth speed;
  private final NamedRoundAlgorithm algorithm;
  private final Duration roundLength;

  private RoundSimulator(
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
  static RoundSimulator of(
      ClusterTopology cluster, GroundTruth speed, String policy, Duration roundLength) {
    if (roundLength.isNegative() || roundLength.isZero()) {
      throw new IllegalArgumentException("a round must take some time, but takes " + roundLength);
    }
    NamedRoundAlgorithm algorithm =
        policy.equals("hare") ? NamedRoundAlgorithm.ROLLING : NamedRoundAlgorithm.named(policy);
    return new RoundSimulator(cluster, speed, algorithm, roundLength);
  }

  /**
   * Returns the trace as jobs of rounds, on the GPUs in the order of the nodes.
   *
   * @throws IllegalArgumentException if a job cannot run on every GPU model of the cluster
   */
  RoundProblem problem(Trace trace) {
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
  RoundPlan plan(Trace trace) {
    return algorithm.with(RoundSettings.DEFAULTS).plan(problem(trace));
  }

  /** Runs a trace. */
  SimulationResult run(Trace trace) {
    return TraceRounds.run(trace, plan(trace));
  }

  private static double seconds(Duration time) {
    return time.getSeconds() + time.getNano() / 1e9;
  }
}
