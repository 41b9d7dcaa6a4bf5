package io.github.liquidscheduler.lab.published.elastic;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.lab.reference.elastic.ScalingCost;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.simulator.Simulation;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.elastic.CurvePredictor;
import io.github.liquidscheduler.simulator.elastic.CurveSpeed;
import io.github.liquidscheduler.simulator.elastic.ElasticInput;
import io.github.liquidscheduler.simulator.elastic.ResizeConditions;
import io.github.liquidscheduler.simulator.elastic.ResizeTimes;
import io.github.liquidscheduler.simulator.elastic.Stragglers;
import io.github.liquidscheduler.simulator.failure.RandomSlowdowns;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Ways to choose the sizes of elastic jobs, compared with submitted sizes by the scheduler itself,
 * on nodes. Its policy is {@code las} with one threshold, as Tiresias with two queues; speeds and
 * durations are known; jobs report every 30 s and keep their size for 60 s after a change.
 *
 * @param workload the jobs; its GPUs must fill whole nodes
 * @param gpusPerNode the GPUs of each node, at least 1
 * @param spreadSpeed how fast a job is on more nodes than it needs, beside on as few as can be;
 *     above 0 and at most 1
 * @param cost what a change of size costs
 * @param seeds the seeds of the traces
 * @param stragglers the workers that are slow in the trace of seed 0, in others drawn from another
 *     seed; empty if none is
 */
public record ScheduledComparison(
    ElasticWorkload workload,
    int gpusPerNode,
    double spreadSpeed,
    ScalingCost cost,
    ElasticComparison.Seeds seeds,
    Optional<Stragglers> stragglers) {

  private static final Duration THRESHOLD = Duration.ofHours(1);
  private static final Duration REPORTS = Duration.ofSeconds(30);
  private static final int MOST_TIMES = 4;
  private static final int GIB = 40;
  private static final double NANOS = 1e9;

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if the GPUs do not fill whole nodes
   */
  public ScheduledComparison {
    Objects.requireNonNull(workload, "workload");
    Objects.requireNonNull(cost, "cost");
    Objects.requireNonNull(seeds, "seeds");
    Objects.requireNonNull(stragglers, "stragglers");
    if (gpusPerNode < 1 || workload.gpus() % gpusPerNode != 0) {
      throw new IllegalArgumentException(
          "GPUs must fill whole nodes, but %d are to be on nodes of %d"
              .formatted(workload.gpus(), gpusPerNode));
    }
  }

  /**
   * A way to choose sizes.
   *
   * @param name what it is called
   * @param sizing the rule; null for submitted sizes
   * @param pendingLimit while more jobs than that wait, others give up more than their surplus
   */
  private record Sizes(String name, @Nullable SizingPolicy sizing, int pendingLimit) {}

  private static List<Sizes> all() {
    return List.of(
        new Sizes("submitted sizes", null, 0),
        new Sizes("elastic-tiresias, N=10", SizingPolicy.elasticTiresias(), 10),
        new Sizes("elastic-tiresias, N=0", SizingPolicy.elasticTiresias(), 0),
        new Sizes("marginal, N=0", SizingPolicy.marginalGain(), 0),
        new Sizes("optimus, N=0", SizingPolicy.optimus(), 0),
        new Sizes("afs, N=0", SizingPolicy.afs(), 0),
        new Sizes("goodput, N=0", SizingPolicy.goodput(), 0));
  }

  /** Returns the same comparison with stragglers. */
  public ScheduledComparison with(Stragglers slow) {
    return new ScheduledComparison(
        workload, gpusPerNode, spreadSpeed, cost, seeds, Optional.of(slow));
  }

  /** Returns the number of steps of {@link #run}. */
  public int steps() {
    return seeds.count() * all().size();
  }

  /**
   * Runs all ways.
   *
   * @param step called {@link #steps} times, after each run
   * @return submitted sizes first
   */
  public List<ComparedAverage> run(Runnable step) {
    List<ComparedAverage> rows = new ArrayList<>();
    List<Double> baseline = List.of();
    for (Sizes sizes : all()) {
      List<SimulationResult> runs = new ArrayList<>();
      for (int seed = seeds.first(); seed < seeds.first() + seeds.count(); seed++) {
        runs.add(run(sizes, seed));
        step.run();
      }
      List<Double> seconds = runs.stream().map(ScheduledComparison::average).toList();
      baseline = baseline.isEmpty() ? seconds : baseline;
      rows.add(
          new ComparedAverage(
              sizes.name(),
              seconds,
              baseline,
              perJob(runs, run -> run.counts().sizes().orElseThrow().resizes()),
              perJob(runs, run -> run.counts().preemptions())));
    }
    return rows;
  }

  private SimulationResult run(Sizes sizes, int seed) {
    ElasticInput input = new ElasticInput("seed " + seed, workload.trace(seed));
    LiquidScheduler.Builder scheduler =
        LiquidScheduler.builder(cluster())
            .policy(Policies.leastAttainedService(List.of(THRESHOLD)));
    rules(sizes).ifPresent(scheduler::elasticity);
    ResizeConditions conditions =
        new ResizeConditions(
            new CurveSpeed(workload.curves(), spreadSpeed),
            job ->
                sizes.sizing() == null
                    ? Parallelism.fixed(job.gpus())
                    : input.sizes(job, MOST_TIMES, false),
            times(),
            job -> Optional.empty());
    Simulation.Builder simulation =
        Simulation.builder(input.trace(), scheduler.build())
            .elastic(conditions)
            .reportEvery(REPORTS);
    stragglers.map(each -> later(each, seed)).ifPresent(simulation::stragglers);
    return simulation.build().run();
  }

  /** Returns the same stragglers at other times, drawn from a seed so much higher. */
  private static Stragglers later(Stragglers some, long seeds) {
    RandomSlowdowns drawn = some.slowdowns();
    return new Stragglers(
        new RandomSlowdowns(drawn.meanTimeBetween(), drawn.lasting(), drawn.seed() + seeds),
        some.speed(),
        some.areReplaced());
  }

  private Optional<Elasticity> rules(Sizes sizes) {
    return Optional.ofNullable(sizes.sizing())
        .map(
            sizing ->
                Elasticity.by(sizing)
                    .pendingLimit(sizes.pendingLimit())
                    .cost(expectedCost())
                    .predictor(new CurvePredictor(workload.curves(), spreadSpeed, gpusPerNode))
                    .build());
  }

  private ClusterTopology cluster() {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    IntStream.range(0, workload.gpus() / gpusPerNode)
        .forEach(
            number ->
                cluster.node(
                    Node.builder("node-" + number)
                        .gpus(gpusPerNode, GpuModel.of("A100"), Memory.ofGib(GIB))
                        .build()));
    return cluster.build();
  }

  private ResizeTimes times() {
    return switch (cost) {
      case ZERO -> ResizeTimes.ZERO;
      case FREE -> ResizeTimes.STOP_FREE;
      case STOP -> ResizeTimes.STOP_RESUME;
    };
  }

  private ResizeCost expectedCost() {
    return switch (cost) {
      case ZERO -> ResizeCost.NONE;
      case FREE -> ResizeCost.STOP_FREE;
      case STOP -> ResizeCost.STOP_RESUME;
    };
  }

  private static double average(SimulationResult run) {
    return run.statistics().orElseThrow().completion().average().toNanos() / NANOS;
  }

  private static double perJob(
      List<SimulationResult> runs, ToLongFunction<SimulationResult> count) {
    double jobs = runs.stream().mapToInt(run -> run.finished().size()).sum();
    return runs.stream().mapToLong(count).sum() / jobs;
  }
}
