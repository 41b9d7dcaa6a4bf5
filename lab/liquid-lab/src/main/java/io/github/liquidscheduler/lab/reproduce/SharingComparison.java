package io.github.liquidscheduler.lab.reproduce;

import io.github.liquidscheduler.cli.sharing.SharingClasses;
import io.github.liquidscheduler.cli.sharing.SharingRules;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.lab.baseline.PublishedColocationPolicies;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.ColocationPolicy;
import io.github.liquidscheduler.planner.BatchPlanners;
import io.github.liquidscheduler.planner.colocation.ColocationPlanner;
import io.github.liquidscheduler.planning.PlanOptions;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.simulator.JobFate;
import io.github.liquidscheduler.simulator.PlanningLoop;
import io.github.liquidscheduler.simulator.Simulation;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.metrics.DurationDistribution;
import io.github.liquidscheduler.simulator.metrics.JctStatistics;
import io.github.liquidscheduler.simulator.slowdown.MeasuredJobs;
import io.github.liquidscheduler.simulator.slowdown.SharingMeter;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * One trace on one cluster, with different ways of sharing GPUs.
 *
 * @param jobs the jobs, and how fast they really are beside each other; those on one GPU may share
 * @param cluster the cluster
 * @param guaranteed the part of the jobs on one GPU that is guaranteed the floor
 * @param floor the part of its speed that a guaranteed job keeps
 */
public record SharingComparison(
    MeasuredJobs jobs, ClusterTopology cluster, double guaranteed, double floor) {

  private static final Duration REPORT = Duration.ofMinutes(2);

  /**
   * What came out of one way of sharing.
   *
   * @param name its name
   * @param useful work done while jobs came, in parts of what the GPUs could do with a job alone on
   *     each
   * @param hours mean completion time in hours
   * @param longHours the completion time in hours that 95 of 100 jobs stay below
   * @param partBelow part of the time in co-runners in which guaranteed jobs were below their floor
   * @param evictions how often jobs were separated because one was too slow
   */
  public record Row(
      String name,
      double useful,
      double hours,
      double longHours,
      double partBelow,
      int evictions) {}

  /** Returns a predictor that knows every pair, and is sure. */
  public InterferencePredictor oracle() {
    return rules().oracle();
  }

  /** Shares nothing. */
  public Row exclusive() {
    LiquidScheduler.Builder scheduler = LiquidScheduler.builder(cluster);
    return run("exclusive", scheduler, job -> new Sharing.Exclusive());
  }

  /**
   * Share wherever there is room, and by the rules of systems that predict no interference: as they
   * place, and as they separate jobs again that turn out to slow each other down too much, which
   * Gandiva does and the others are given too.
   */
  public List<Supplier<Row>> oblivious() {
    return PublishedColocationPolicies.all().stream()
        .<Supplier<Row>>flatMap(
            rule -> Stream.of(() -> oblivious(rule, false), () -> oblivious(rule, true)))
        .toList();
  }

  private Row oblivious(ColocationPolicy policy, boolean separates) {
    Colocation colocation = rules().oblivious(policy).build();
    return separates
        ? run(
            policy.name() + ", separating",
            LiquidScheduler.builder(cluster).colocation(colocation),
            this::sharing)
        : run(policy.name(), unmonitored(colocation), this::sharing);
  }

  /**
   * Shares where a predictor expects the least slowdown; learns from reports if {@code monitored}.
   */
  public Row predicted(String name, InterferencePredictor predictor, boolean monitored) {
    Colocation colocation = colocation(predictor);
    LiquidScheduler.Builder scheduler =
        monitored
            ? LiquidScheduler.builder(cluster).colocation(colocation)
            : unmonitored(colocation);
    return run(name, scheduler, this::sharing);
  }

  /** Plans the jobs of each window together, co-runners too, and learns from reports. */
  public Row planned(String name, InterferencePredictor predictor, BatchWindow window) {
    Colocation colocation = colocation(predictor);
    PlanningLoop planning =
        new PlanningLoop(
            ColocationPlanner.of(BatchPlanners.greedy(), colocation),
            PlanOptions.builder().steps(1).boundRounds(0).build(),
            Duration.ZERO);
    LiquidScheduler.Builder scheduler =
        LiquidScheduler.builder(cluster).colocation(colocation).batch(window);
    return run(name, simulation(scheduler, this::sharing).planning(planning));
  }

  private LiquidScheduler.Builder unmonitored(Colocation colocation) {
    return LiquidScheduler.builder(cluster).placer(Placers.colocating(colocation));
  }

  private Colocation colocation(InterferencePredictor predictor) {
    return rules().predicted(predictor).build();
  }

  private SharingRules rules() {
    return new SharingRules(jobs);
  }

  private Sharing sharing(TraceJob job) {
    return new SharingClasses(jobs, guaranteed, floor).of(job);
  }

  private Row run(
      String name, LiquidScheduler.Builder scheduler, Function<TraceJob, Sharing> sharing) {
    return run(name, simulation(scheduler, sharing));
  }

  private Simulation.Builder simulation(
      LiquidScheduler.Builder scheduler, Function<TraceJob, Sharing> sharing) {
    return Simulation.builder(jobs.trace(), scheduler.policy(Policies.bestEffortFifo()).build())
        .speed(jobs.truth())
        .sharing(sharing)
        .reportEvery(REPORT);
  }

  private Row run(String name, Simulation.Builder simulation) {
    SharingMeter meter = new SharingMeter(jobs);
    SimulationResult result = simulation.listener(meter).build().run();
    DurationDistribution completion =
        JctStatistics.of(result.finished().stream().map(JobFate.Finished::outcome).toList())
            .completion();
    return new Row(
        name,
        meter.useful(cluster.gpuCount()),
        hours(completion.average()),
        hours(completion.percentile(95)),
        meter.report().belowFloor(),
        meter.report().stopped() + meter.report().moved());
  }

  private static double hours(Duration time) {
    return time.toSeconds() / 3600.0;
  }
}
