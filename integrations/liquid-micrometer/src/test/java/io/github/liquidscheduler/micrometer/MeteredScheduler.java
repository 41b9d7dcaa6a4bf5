package io.github.liquidscheduler.micrometer;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.TurnTimes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A scheduler of two nodes of four GPUs whose turns all take 1 + 2 + 3 ms. */
final class MeteredScheduler {
  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private static final TurnTimes TIMES =
      new TurnTimes(Duration.ofMillis(1), Duration.ofMillis(2), Duration.ofMillis(3));

  final Scheduler scheduler =
      LiquidScheduler.builder(
              ClusterTopology.builder().node(node("node-0")).node(node("node-1")).build())
          .policy(Policies.priority())
          .startsReported()
          .build();

  private final SchedulerMetrics metrics;
  private Instant now = NOON;

  MeteredScheduler(SchedulerMetrics metrics) {
    this.metrics = metrics;
  }

  private static Node node(String id) {
    return Node.builder(id).gpus(4, GpuModel.of("A100"), Memory.ofGib(40)).build();
  }

  MeteredScheduler after(Duration time) {
    now = now.plus(time);
    return this;
  }

  Instant now() {
    return now;
  }

  MeteredScheduler on(ClusterEvent event) {
    try {
      List<Decision> decisions = scheduler.on(event);
      metrics.decided(event, decisions, TIMES, scheduler);
    } catch (IllegalArgumentException why) {
      metrics.refused(event, why);
    }
    return this;
  }

  MeteredScheduler submit(String id, int gpus, int priority) {
    JobSpec job =
        JobSpec.builder(id)
            .gpus(gpus)
            .priority(priority)
            .expectedWork(ExpectedWork.ofDuration(Duration.ofMinutes(10)))
            .build();
    return on(new ClusterEvent.JobSubmitted(now, job));
  }

  MeteredScheduler begin(String id) {
    return on(new ClusterEvent.JobStarted(now, JobId.of(id)));
  }

  MeteredScheduler finish(String id) {
    return on(new ClusterEvent.JobFinished(now, JobId.of(id)));
  }

  MeteredScheduler pass() {
    return on(new ClusterEvent.TimePassed(now));
  }
}
