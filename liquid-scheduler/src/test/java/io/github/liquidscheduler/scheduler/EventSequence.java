package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Playback;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.RandomDistribution;

/**
 * A cluster, a policy and what happens.
 *
 * @param cluster the cluster
 * @param policy the policy
 * @param rules what protects running jobs, and how they stop
 * @param window the batch window, if the scheduler has one
 * @param steps what happens, in order
 */
record EventSequence(
    ClusterTopology cluster,
    SchedulingPolicy policy,
    PreemptionRules rules,
    Optional<BatchWindow> window,
    List<ClusterStep> steps) {

  private static final BatchWindow SHORT = BatchWindow.of(Duration.ofSeconds(7));

  /** No window, and windows that close for all reasons there are. */
  private static final List<Optional<BatchWindow>> WINDOWS =
      List.of(
          Optional.empty(),
          Optional.of(BatchWindow.of(Duration.ZERO)),
          Optional.of(SHORT.planTimeout(Duration.ofSeconds(20))),
          Optional.of(SHORT.maxJobs(2).planTimeout(Duration.ofSeconds(1))),
          Optional.of(SHORT.queuedGpuFraction(0.5).maxPlanSize(3)),
          Optional.of(BatchWindow.of(Duration.ZERO).bypassLimit(1)),
          Optional.of(SHORT.maxJobs(4).bypassLimit(2)));

  private static final PreemptionRules GRACE =
      PreemptionRules.NONE.gracePeriod(Duration.ofSeconds(20));

  /** No grace periods and grace periods, and protections. */
  static final List<PreemptionRules> RULES =
      List.of(
          PreemptionRules.NONE,
          GRACE,
          PreemptionRules.NONE.mostPreemptions(1),
          GRACE.minRunTime(Duration.ofSeconds(40)));

  private static final List<Duration> THRESHOLDS =
      List.of(Duration.ofSeconds(90), Duration.ofSeconds(400));

  /** All policies; those with thresholds have them low enough to matter in a short sequence. */
  static final List<SchedulingPolicy> POLICIES =
      List.of(
          Policies.fifo(),
          Policies.bestEffortFifo(),
          Policies.priority(),
          Policies.shortestJobFirst(),
          Policies.shortestRemainingTimeFirst(),
          Policies.leastAttainedService(THRESHOLDS),
          Policies.leastAttainedServiceWithPromotion(THRESHOLDS, 1.5),
          Policies.fairShare(),
          Policies.fairShare(Policies.fifo(), Map.of(QueueName.of("research"), 2.5)),
          new BlockingPriority());

  /** Returns the same without a batch window. */
  EventSequence immediate() {
    return new EventSequence(cluster, policy, rules, Optional.empty(), steps);
  }

  LiquidScheduler scheduler() {
    return options().build();
  }

  /** Plays all steps on a new scheduler of these options and returns what happened. */
  List<Playback.Turn> play(LiquidScheduler.Builder options) {
    return playback(options.build()).play(steps);
  }

  /** Returns a playback in which plans come late. */
  static Playback playback(LiquidScheduler scheduler) {
    return new Playback(scheduler, new StalePlans());
  }

  LiquidScheduler.Builder options() {
    return options(cluster);
  }

  /** Returns options of a scheduler for what the cluster has become. */
  LiquidScheduler.Builder options(ClusterTopology cluster) {
    LiquidScheduler.Builder options =
        LiquidScheduler.builder(cluster).policy(policy).preemption(rules);
    return window.map(options::batch).orElse(options);
  }

  static Arbitrary<EventSequence> sequences(
      Arbitrary<JobDraft> jobs, List<SchedulingPolicy> policies) {
    return sequences(jobs, policies, 1);
  }

  /** Returns sequences of at least a number of steps, and at most 80. */
  static Arbitrary<EventSequence> sequences(
      Arbitrary<JobDraft> jobs, List<SchedulingPolicy> policies, int leastSteps) {
    return Combinators.combine(
            clusters(),
            Arbitraries.of(policies),
            Arbitraries.of(RULES),
            Arbitraries.of(WINDOWS),
            ClusterStep.any(jobs)
                .list()
                .ofMinSize(leastSteps)
                .ofMaxSize(80)
                .withSizeDistribution(RandomDistribution.uniform()))
        .as(EventSequence::new);
  }

  private static Arbitrary<ClusterTopology> clusters() {
    return Combinators.combine(
            Arbitraries.of(0, 1, 2, 3, 4, 4),
            Arbitraries.of(JobDraft.MODELS),
            Arbitraries.of(16, 32),
            Arbitraries.of(4, 16),
            Arbitraries.of(32, 64),
            Arbitraries.of("", "z0", "r0", "r1"),
            Arbitraries.of(true, false))
        .as(NodeDraft::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(6)
        .map(EventSequence::cluster);
  }

  /** Rack r1 is in no zone, and some nodes are in no rack. */
  private static ClusterTopology cluster(List<NodeDraft> nodes) {
    ClusterTopology.Builder cluster =
        ClusterTopology.builder()
            .levels("zone", "rack")
            .domain(Domain.of("zone", "z0"))
            .domain(Domain.of("rack", "r0").in("z0"))
            .domain(Domain.of("rack", "r1"));
    for (int n = 0; n < nodes.size(); n++) {
      cluster.node(nodes.get(n).named("n" + n));
    }
    return cluster.build();
  }

  private record NodeDraft(
      int gpus, GpuModel model, int gpuMemory, int cpu, int memory, String domain, boolean ssd) {

    Node named(String id) {
      Node.Builder node =
          Node.builder(id)
              .gpus(gpus, model, Memory.ofGib(gpuMemory))
              .cpu(CpuCores.of(cpu))
              .memory(Memory.ofGib(memory));
      if (!domain.isEmpty()) {
        node.domain(domain);
      }
      if (ssd) {
        node.label("disk", "ssd");
      }
      return node.build();
    }
  }
}
