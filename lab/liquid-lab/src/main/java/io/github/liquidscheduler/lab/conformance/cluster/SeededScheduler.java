package io.github.liquidscheduler.lab.conformance.cluster;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.lab.conformance.peer.Refusal;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.PlanCertificate;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.PluginFailedException;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Schedulers in the middle of things: with jobs, some of which run in given places. */
final class SeededScheduler {

  /** When the next decision is due. */
  static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  /** When jobs came and started that are as old as any: who has just started is spared. */
  static final Instant BEFORE = NOW.minusSeconds(60);

  /** How long a job keeps its size that may have several. */
  static final Duration COOL_DOWN = Duration.ofDays(1);

  /** How long who leaves takes to stop: so long that it does not come back meanwhile. */
  static final Duration STOPPING_TIME = Duration.ofHours(1);

  private static final int MOST_ROUNDS = 20;

  private static final PlanCertificate CERTIFICATE = new PlanCertificate(0, 0, 0, 0, List.of());

  private SeededScheduler() {}

  /**
   * Returns a scheduler before its first decision.
   *
   * @param submissions the jobs, those first that run, and what else comes before the decision
   * @param places where jobs run
   * @throws Refusal if one cannot run there
   */
  static Scheduler elastic(
      ClusterTopology topology,
      SchedulingPolicy policy,
      PreemptionRules rules,
      List<ClusterEvent> submissions,
      Map<JobId, Placement> places) {
    Elasticity elasticity =
        Elasticity.by(SizingPolicy.marginalGain())
            .coolDown(COOL_DOWN)
            .worthwhile(0)
            .startSmall()
            .preemptToGrow()
            .cost(ResizeCost.NONE)
            .build();
    return seeded(
        topology,
        policy,
        builder -> builder.preemption(rules).elasticity(elasticity),
        submissions,
        places);
  }

  /**
   * Returns a scheduler before its first decision, whose jobs keep their sizes.
   *
   * @param submissions the jobs, those first that run, and what else comes before the decision
   * @param places where jobs run
   * @throws Refusal if one cannot run there
   */
  static Scheduler of(
      ClusterTopology topology,
      SchedulingPolicy policy,
      PreemptionRules rules,
      List<ClusterEvent> submissions,
      Map<JobId, Placement> places) {
    return seeded(topology, policy, builder -> builder.preemption(rules), submissions, places);
  }

  private static Scheduler seeded(
      ClusterTopology topology,
      SchedulingPolicy policy,
      UnaryOperator<LiquidScheduler.Builder> rules,
      List<ClusterEvent> submissions,
      Map<JobId, Placement> places) {
    Placer placer = Placers.bestFit();
    Scheduler seeded =
        rules
            .apply(LiquidScheduler.builder(topology))
            .policy(new PriorityWithoutPreemption(policy.name()))
            .placer(new SeedPlacer(placer))
            .build();
    Refusal.locating("jobs", () -> submit(submissions, places, seeded));
    for (JobId job : places.keySet()) {
      if (!(seeded.status(job).orElse(null) instanceof JobStatus.Running)) {
        throw Refusal.of("jobs", "job '%s' does not fit where it runs".formatted(job));
      }
    }
    return rules
        .apply(LiquidScheduler.builder(topology))
        .policy(policy)
        .placer(placer)
        .restore(seeded.snapshot());
  }

  /** Has jobs come and start, and returns the scheduler. */
  private static Scheduler submit(
      List<ClusterEvent> submissions, Map<JobId, Placement> places, Scheduler seeded) {
    try {
      for (ClusterEvent submission : submissions) {
        seeded.on(submission);
        if (submission instanceof ClusterEvent.JobSubmitted submitted) {
          Optional.ofNullable(places.get(submitted.spec().id()))
              .map(place -> new ClusterEvent.PlanProposed(submission.at(), plan(place)))
              .ifPresent(seeded::on);
        }
      }
      return seeded;
    } catch (PluginFailedException e) {
      throw Refusal.of("jobs", "more runs than the nodes hold: " + e.getMessage());
    }
  }

  private static BatchPlan plan(Placement start) {
    return new BatchPlan(0, List.of(start), List.of(), List.of(), CERTIFICATE);
  }

  /** Sets the queues, lets everything happen that is due at once, and returns the decisions. */
  static List<Decision> settle(Scheduler scheduler, QueueTree queues) {
    return settle(scheduler, new ClusterEvent.QueuesChanged(NOW, queues));
  }

  /**
   * Does the same once jobs of several sizes have kept theirs for long enough.
   *
   * @param again whether those that start may get larger after as long again
   */
  static List<Decision> settleLater(Scheduler scheduler, QueueTree queues, boolean again) {
    Instant later = NOW.plus(COOL_DOWN);
    List<Decision> decisions =
        new ArrayList<>(settle(scheduler, new ClusterEvent.QueuesChanged(later, queues)));
    if (again) {
      decisions.addAll(settle(scheduler, new ClusterEvent.TimePassed(later.plus(COOL_DOWN))));
    }
    return decisions;
  }

  /** Takes an event, lets everything happen that is due at once, and returns the decisions. */
  static List<Decision> settle(Scheduler scheduler, ClusterEvent event) {
    List<Decision> decisions =
        new ArrayList<>(Refusal.locating("queues", () -> scheduler.on(event)));
    Instant last = event.at().plusNanos(MOST_ROUNDS);
    Optional<Instant> due = scheduler.nextWakeUp();
    for (int round = 0; round < MOST_ROUNDS && isBy(last, due); round++) {
      decisions.addAll(scheduler.on(new ClusterEvent.TimePassed(due.orElseThrow())));
      due = scheduler.nextWakeUp();
    }
    return decisions;
  }

  private static boolean isBy(Instant last, Optional<Instant> due) {
    return due.filter(at -> !at.isAfter(last)).isPresent();
  }
}
