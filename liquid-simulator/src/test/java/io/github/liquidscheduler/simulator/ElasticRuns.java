package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.simulator.elastic.CurvePredictor;
import io.github.liquidscheduler.simulator.elastic.CurveSpeed;
import io.github.liquidscheduler.simulator.elastic.ElasticInput;
import io.github.liquidscheduler.simulator.elastic.ElasticJob;
import io.github.liquidscheduler.simulator.elastic.ElasticTrace;
import io.github.liquidscheduler.simulator.elastic.ResizeConditions;
import io.github.liquidscheduler.simulator.elastic.ResizeTimes;
import io.github.liquidscheduler.simulator.elastic.ThroughputCurve;
import io.github.liquidscheduler.simulator.elastic.ThroughputCurves;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Simulations of elastic jobs that all have the same curve, for tests. */
final class ElasticRuns {

  private final String model;
  private final ThroughputCurve curve;
  private final ThroughputCurves curves;
  private Elasticity.Builder elasticity = Elasticity.by(SizingPolicy.elasticTiresias());
  private String policy = "best-effort-fifo";
  private boolean isMeasured;
  private UnaryOperator<Scheduler> tampering = scheduler -> scheduler;

  ElasticRuns(Map.Entry<String, ThroughputCurve> curve) {
    model = curve.getKey();
    this.curve = curve.getValue();
    curves = ThroughputCurves.of(Map.of(model, this.curve));
  }

  /** Returns a curve of points, each a number of GPUs and iterations per second. */
  static Map.Entry<String, ThroughputCurve> curves(String model, double... points) {
    Map<Integer, Double> rates = new TreeMap<>();
    for (int i = 0; i < points.length; i += 2) {
      rates.put((int) points[i], points[i + 1]);
    }
    return Map.entry(model, ThroughputCurve.of(rates));
  }

  static ElasticJob job(ElasticRuns runs, int id, int arrival, int size, int iterations, int max) {
    return new ElasticJob(
        id,
        arrival,
        new ElasticJob.Work(runs.model, runs.curve, iterations),
        new ElasticJob.Sizes(size, 1, max));
  }

  ElasticRuns elasticity(Elasticity.Builder rules) {
    elasticity = rules;
    return this;
  }

  /** Lets another scheduler take the place of the one that these runs would have. */
  ElasticRuns tampering(UnaryOperator<Scheduler> tampering) {
    this.tampering = tampering;
    return this;
  }

  /** Allows only sizes at which the curve has a point. */
  ElasticRuns measuredSizes() {
    isMeasured = true;
    return this;
  }

  ElasticRuns policy(String name) {
    policy = name;
    return this;
  }

  SimulationResult run(ClusterTopology cluster, ResizeTimes times, ElasticJob... jobs) {
    return run(cluster, times, simulation -> simulation, jobs);
  }

  SimulationResult run(
      ClusterTopology cluster,
      ResizeTimes times,
      UnaryOperator<Simulation.Builder> more,
      ElasticJob... jobs) {
    ElasticInput input = new ElasticInput("test", ElasticTrace.of(List.of(jobs)));
    LiquidScheduler scheduler =
        LiquidScheduler.builder(cluster)
            .policy(Policies.named(policy))
            .elasticity(elasticity.predictor(new CurvePredictor(curves, 1, 1)).build())
            .build();
    Simulation.Builder simulation =
        Simulation.builder(input.trace(), tampering.apply(scheduler))
            .elastic(
                new ResizeConditions(
                    new CurveSpeed(curves, 1),
                    job -> input.sizes(job, 4, isMeasured),
                    times,
                    job -> Optional.empty()))
            .strict();
    return more.apply(simulation).build().run();
  }
}
