package io.github.liquidscheduler.lab.recorded;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.estimator.interference.CompositePredictor;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.lab.baseline.BaselinePlacers;
import io.github.liquidscheduler.lab.baseline.PublishedColocationPolicies;
import io.github.liquidscheduler.lab.baseline.hived.VirtualClusters;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.ColocationPolicy;
import io.github.liquidscheduler.placement.colocation.PredictedSlowdownRule;
import io.github.liquidscheduler.placement.colocation.SharingMode;
import io.github.liquidscheduler.placement.colocation.SharingTrigger;
import io.github.liquidscheduler.placement.cost.NetworkParameters;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.RetryBackoff;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;

/**
 * The recordings there are: what the scheduler of each is made of, and what was decided in it at
 * least once, so that one that shows nothing is noticed.
 */
enum Recording {
  BEST_FIT_FIFO("start reject", with -> with.policy(Policies.fifo())),
  CONSTRAINTS("start reject", with -> with.policy(Policies.bestEffortFifo())),
  SHORTEST_JOB_FIRST("start", with -> with.policy(Policies.shortestJobFirst())),
  PRIORITY("start preempt", with -> with.policy(Policies.priority())),
  LEAST_ATTAINED_SERVICE(
      "start preempt", with -> with.policy(Policies.leastAttainedService(thresholds()))),
  LEAST_ATTAINED_SERVICE_PROMOTED(
      "start preempt",
      with -> with.policy(Policies.leastAttainedServiceWithPromotion(thresholds(), 1.5))),
  SHORTEST_REMAINING_TIME(
      "start preempt", with -> with.policy(Policies.shortestRemainingTimeFirst())),
  FAILURES("start preempt reject", with -> with.policy(Policies.priority())),
  LEAST_COST("start", with -> with.policy(Policies.bestEffortFifo()).placer(Placers.leastCost())),
  LEAST_COST_THREE_LEVELS(
      "start preempt",
      with ->
          with.policy(Policies.shortestRemainingTimeFirst())
              .placer(Placers.leastCost())
              .network(
                  NetworkParameters.builder()
                      .linkEfficiency(0.8)
                      .linkLatency(Duration.ofNanos(30_000))
                      .overlap(1.5)
                      .build())),
  RANDOM("start", with -> with.policy(Policies.fifo()).placer(BaselinePlacers.named("random", 7))),
  EVEN_SPREAD("start", byTask("even-spread")),
  LEAST_ALLOCATED("start", byTask("least-allocated")),
  PACK("start", byTask("pack")),
  BUDDY_CELLS("start", byTask("buddy-cells")),
  LIQUID("start", byTask("liquid")),
  VIRTUAL_CLUSTERS(
      "start preempt",
      with -> with.policy(Policies.guaranteedFirst()).placer(cells().placerFor(Clusters.plain()))),
  WATCHED_SHARING(
      "start beside preempt migrate", (with, predictor) -> watched(with, shared(predictor))),
  PRESSED_GANGS(
      "start beside",
      (with, predictor) ->
          with.policy(Policies.bestEffortFifo())
              .placer(
                  Placers.colocating(
                      Colocation.builder(PredictedSlowdownRule.of(predictor))
                          .trigger(SharingTrigger.aboveUtilization(0.5))
                          .base(Placers.leastCost())
                          .build()))),
  MIG_SLICES(
      "start beside preempt",
      (with, predictor) ->
          watched(
              with,
              Colocation.builder(PredictedSlowdownRule.of(predictor))
                  .mode(
                      GpuModel.of("A100 1g"), new SharingMode.MigSlice(GpuShare.ofThousandths(142)))
                  .mode(new SharingMode.TimeSlicing(3))
                  .build())),
  MPS(
      "start beside",
      (with, predictor) ->
          watched(
              with,
              Colocation.builder(PredictedSlowdownRule.of(predictor))
                  .mode(new SharingMode.Mps(2))
                  .trigger(SharingTrigger.always())
                  .build())),
  SHARE_FIRST_FIT(
      "start beside preempt",
      with ->
          with.policy(Policies.guaranteedFirst())
              .placer(BaselinePlacers.named("share-first-fit", 0))),
  SHARE_LIQUID("start beside", sharingBy(PublishedColocationPolicies.liquid())),
  SHARE_GANDIVA("start beside", sharingBy(PublishedColocationPolicies.gandiva())),
  SHARE_ANTMAN("start beside", sharingBy(PublishedColocationPolicies.antMan())),
  SHARE_LUCID("start beside", sharingBy(PublishedColocationPolicies.lucid())),
  BATCH_GREEDY(
      "start requestPlan planned",
      with ->
          with.policy(Policies.fifo())
              .batch(BatchWindow.of(Duration.ofSeconds(10)).maxJobs(4).maxPlanSize(12))),
  BATCH_TIMEFOLD(
      "start requestPlan patient planned",
      with ->
          with.policy(Policies.bestEffortFifo())
              .placer(Placers.leastCost())
              .batch(
                  BatchWindow.of(Duration.ofSeconds(15))
                      .queuedGpuFraction(0.5)
                      .planTimeout(Duration.ofSeconds(20))
                      .bypassLimit(3))),
  BATCH_PREEMPTION(
      "start preempt requestPlan planned",
      with -> with.policy(Policies.priority()).batch(BatchWindow.of(Duration.ofSeconds(5)))),
  BATCH_SHARING(
      "start beside requestPlan patient planned",
      (with, predictor) ->
          watched(with, shared(predictor)).batch(BatchWindow.of(Duration.ZERO).bypassLimit(5))),
  DEFRAGMENTATION(
      "start migrate requestPlan planned",
      with -> with.policy(Policies.bestEffortFifo()).batch(BatchWindow.of(Duration.ofSeconds(5))));

  private interface Options {
    LiquidScheduler.Builder set(LiquidScheduler.Builder with, InterferencePredictor predictor);
  }

  private final Set<String> shows;
  private final Options options;

  Recording(String shows, Function<LiquidScheduler.Builder, LiquidScheduler.Builder> options) {
    this(shows, (with, predictor) -> options.apply(with));
  }

  Recording(String shows, Options options) {
    this.shows = Set.of(shows.split(" ", -1));
    this.options = options;
  }

  /** Returns the name of its files. */
  String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns what was decided in it. */
  Set<String> shows() {
    return shows;
  }

  /** Returns its scheduler, which may teach the predictor. */
  LiquidScheduler scheduler(ClusterTopology cluster, CompositePredictor predictor) {
    return options
        .set(LiquidScheduler.builder(cluster).retries(RetryBackoff.NONE), predictor)
        .build();
  }

  private static VirtualClusters cells() {
    return VirtualClusters.builder().cells("a", 4, 3).cells("b", 2, 4).cells("c", 8, 1).build();
  }

  private static List<Duration> thresholds() {
    return List.of(Duration.ofSeconds(90), Duration.ofSeconds(400));
  }

  private static Function<LiquidScheduler.Builder, LiquidScheduler.Builder> byTask(String placer) {
    return with -> with.policy(Policies.fifo()).placer(BaselinePlacers.named(placer, 0));
  }

  private static Function<LiquidScheduler.Builder, LiquidScheduler.Builder> sharingBy(
      ColocationPolicy rule) {
    return with ->
        with.policy(Policies.bestEffortFifo())
            .placer(
                Placers.colocating(Colocation.builder(rule).profiles(Recording::profile).build()));
  }

  /** Returns a profile with a utilisation from .2 to .9, the higher the larger the batch. */
  private static ColocationProfile profile(JobSpec job, GpuModel gpu) {
    int batch = job.workload().batchSize().orElse(1);
    double utilization = 0.2 + 0.1 * (31 - Integer.numberOfLeadingZeros(batch) - 1);
    return new ColocationProfile(
        job.workload(), Double.NaN, Math.min(0.9, utilization), Double.NaN, Double.NaN);
  }

  private static Colocation shared(InterferencePredictor predictor) {
    return Colocation.of(predictor);
  }

  private static LiquidScheduler.Builder watched(
      LiquidScheduler.Builder with, Colocation colocation) {
    return with.policy(Policies.bestEffortFifo()).colocation(colocation);
  }
}
