package io.github.liquidscheduler.simulator.conformance.cluster;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.PluginFailedException;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Schedulers in the middle of things: with jobs, some of which run in given places. */
final class SeededScheduler {

  /** When the next decision is due. */
  static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private static final int MOST_ROUNDS = 20;

  private SeededScheduler() {}

  /**
   * Returns a scheduler before its first decision.
   *
   * @param submissions the jobs, those first that run
   * @param places where jobs run
   * @throws IllegalStateException if one cannot run there
   */
  static Scheduler of(
      ClusterTopology topology,
      SchedulingPolicy policy,
      PreemptionRules rules,
      List<ClusterEvent> submissions,
      Map<JobId, Placement> places) {
    Placer placer = Placers.bestFit();
    Scheduler seeded =
        LiquidScheduler.builder(topology)
            .policy(new PriorityWithoutPreemption(policy.name()))
            .preemption(rules)
            .placer(new SeedPlacer(placer, places))
            .build();
    submit(submissions, seeded);
    for (JobId job : places.keySet()) {
      if (!(seeded.status(job).orElse(null) instanceof JobStatus.Running)) {
        throw new IllegalStateException("job '%s' does not fit where it runs".formatted(job));
      }
    }
    return LiquidScheduler.builder(topology)
        .policy(policy)
        .preemption(rules)
        .placer(placer)
        .restore(seeded.snapshot());
  }

  private static void submit(List<ClusterEvent> submissions, Scheduler seeded) {
    try {
      submissions.forEach(seeded::on);
    } catch (PluginFailedException e) {
      throw new IllegalStateException("more runs than there is room for", e);
    }
  }

  /** Sets the queues, lets everything happen that is due at once, and returns the decisions. */
  static List<Decision> settle(Scheduler scheduler, QueueTree queues) {
    List<Decision> decisions =
        new ArrayList<>(scheduler.on(new ClusterEvent.QueuesChanged(NOW, queues)));
    for (int round = 0; round < MOST_ROUNDS && isDue(scheduler); round++) {
      decisions.addAll(scheduler.on(new ClusterEvent.TimePassed(NOW)));
    }
    return decisions;
  }

  private static boolean isDue(Scheduler scheduler) {
    return scheduler.nextWakeUp().filter(due -> !due.isAfter(NOW)).isPresent();
  }
}
