package io.github.liquidscheduler.examples;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.AdvanceReservation;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.ReservationId;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Keeps a place for a large job, and starts a short one before it. */
public final class StartBehindReservations {

  private StartBehindReservations() {}

  /** Prints when the large job is to start, and why another waits. */
  public static void main(String[] arguments) {
    Scheduler scheduler = scheduler(Instant.now());
    System.out.println(largeJobStarts(scheduler).orElseThrow());
    System.out.println(scheduler.explain(JobId.of("long")).describe());
  }

  /** Returns a scheduler of which half is busy for an hour, and on which a large job waits. */
  static Scheduler scheduler(Instant now) {
    // @start region="backfill"
    Scheduler scheduler =
        LiquidScheduler.builder(oneNode())
            .policy(Policies.fifo())
            .backfill(Backfill.easy().assuming(Duration.ofHours(12)))
            .build();
    // @end
    submit(scheduler, now, job("busy", 4, Duration.ofHours(1)));
    submit(scheduler, now, job("large", 8, Duration.ofHours(6)));
    submit(scheduler, now, job("short", 2, Duration.ofMinutes(30)));
    submit(scheduler, now, job("long", 2, Duration.ofHours(3)));
    return scheduler;
  }

  /** Returns the planned start of the large job. */
  static Optional<Instant> largeJobStarts(Scheduler scheduler) {
    // @start region="when"
    Optional<Instant> start = scheduler.reservedStart(JobId.of("large"));
    // @end
    return start;
  }

  /**
   * Announces maintenance of a node; capacity for a gang; and that the capacity is not needed after
   * all.
   */
  static void announce(Scheduler scheduler, Instant now) {
    Instant noon = now.plus(Duration.ofHours(24));
    // @start region="maintenance"
    ReservationId firmware = ReservationId.of("firmware");
    scheduler.on(
        new ClusterEvent.ReservationAnnounced(
            now,
            new AdvanceReservation.Maintenance(
                firmware, noon, noon.plus(Duration.ofHours(2)), List.of(NodeId.of("node-0")))));
    // @end
    // @start region="capacity"
    ReservationId demo = ReservationId.of("demo");
    scheduler.on(
        new ClusterEvent.ReservationAnnounced(
            now,
            new AdvanceReservation.Capacity(
                demo,
                noon.plus(Duration.ofHours(2)),
                noon.plus(Duration.ofHours(8)),
                JobSpec.builder("demo").gpus(8).build(),
                List.of(JobId.of("demo-1"), JobId.of("demo-2")),
                Optional.empty())));
    // @end
    // @start region="cancel"
    scheduler.on(new ClusterEvent.ReservationCancelled(now, demo));
    // @end
  }

  private static void submit(Scheduler scheduler, Instant now, JobSpec job) {
    scheduler.on(new ClusterEvent.JobSubmitted(now, job));
  }

  private static JobSpec job(String id, int gpus, Duration expected) {
    return JobSpec.builder(id).gpus(gpus).expectedWork(ExpectedWork.ofDuration(expected)).build();
  }

  private static ClusterTopology oneNode() {
    Node node = Node.builder("node-0").gpus(8, GpuModel.of("A100"), Memory.ofGib(40)).build();
    return ClusterTopology.builder().node(node).build();
  }
}
