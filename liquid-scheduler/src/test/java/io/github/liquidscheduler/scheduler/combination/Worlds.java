package io.github.liquidscheduler.scheduler.combination;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Synchronization;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.colocation.AnyCoRunner;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.performance.GpuSpeedTable;
import io.github.liquidscheduler.scheduler.performance.Performance;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.prefetch.Prefetching;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The features of the matrix, slot by slot. */
final class Worlds {

  private static final GpuModel FAST = GpuModel.of("H100");
  private static final GpuModel SLOW = GpuModel.of("V100");
  private static final Dataset DATA = new Dataset("clicks", Memory.ofGib(8));
  private static final Set<Role> ROUNDS = Set.of(Role.HOLDER, Role.TAKER, Role.LONG);
  private static final GpuSpeedTable SPEEDS =
      GpuSpeedTable.builder()
          .speed("fourfold", FAST, 4)
          .speed("fourfold", SLOW, 1)
          .speed("twice", FAST, 2)
          .speed("twice", SLOW, 1)
          .build();

  private Worlds() {}

  /** Returns all features in the order of slots. */
  static List<FeatureWorld> all() {
    return List.of(
        order("fifo", Policies.fifo()),
        order("shortest first", Policies.shortestJobFirst()),
        order("priority", Policies.priority())
            .giving(Worlds::priorities)
            .seenBy(decision -> decision.why() instanceof Reason.PreemptedByPriority),
        order(
                "least attained service",
                Policies.leastAttainedService(List.of(Duration.ofSeconds(30))))
            .seenBy(decision -> decision.why() instanceof Reason.PreemptedByPriority),
        order("fair share", Policies.fairShare()),
        tree("limits", Reclaiming.NEVER),
        tree("computed shares", Reclaiming.COMPUTED_SHARES),
        tree("lent quota", Reclaiming.LENT_QUOTA),
        tree("dominant shares", Reclaiming.DOMINANT_SHARES),
        FeatureWorld.of(
            Slot.BACKFILL,
            "backfill",
            options -> options.with(builder -> builder.backfill(Backfill.easy()))),
        FeatureWorld.of(
                Slot.BATCH_WINDOW,
                "batch window",
                options ->
                    options.with(builder -> builder.batch(BatchWindow.of(Duration.ofSeconds(5)))))
            .seenBy(Decision.RequestPlan.class::isInstance),
        FeatureWorld.of(Slot.ELASTICITY, "elasticity", Options::resizes)
            .giving(Worlds::sizes)
            .seenBy(Decision.Resize.class::isInstance),
        FeatureWorld.of(
                Slot.CO_LOCATION,
                "co-location",
                options -> options.with(builder -> builder.colocation(sharing())))
            .giving(Worlds::shares)
            .seenBy(Worlds::isShared),
        FeatureWorld.of(Slot.MOVES, "moves", options -> options.rules(rules -> rules.moving(4)))
            .seenBy(decision -> decision.why() instanceof Reason.MadeWay),
        speeds("speeds by GPU model", Performance.by(SPEEDS))
            .seenBy(decision -> decision.why() instanceof Reason.ScheduledOn),
        speeds("moves to faster GPUs", Performance.by(SPEEDS).moving(Duration.ofSeconds(1)))
            .shownBy(Kind.MOVE, Kind.FETCH)
            .seenBy(
                decision ->
                    decision instanceof Decision.Migrate
                        && !(decision.why() instanceof Reason.MadeWay)),
        FeatureWorld.of(Slot.DEADLINES, "deadlines", Options::promises)
            .giving(Worlds::deadlines)
            .seenBy(decision -> decision.why() instanceof Reason.DeadlineUnmet),
        FeatureWorld.of(
                Slot.PREFETCH,
                "prefetch",
                options -> options.with(builder -> builder.prefetch(prefetching())))
            .giving(Worlds::data)
            .seenBy(Decision.Prefetch.class::isInstance),
        FeatureWorld.of(
                Slot.GRACE_PERIOD,
                "grace period",
                options -> options.rules(rules -> rules.gracePeriod(Duration.ofSeconds(30))))
            .seenBy(Worlds::hasGrace),
        FeatureWorld.of(
            Slot.BOUNDS,
            "starts per event",
            options -> options.with(builder -> builder.startsPerEvent(1))),
        FeatureWorld.of(
            Slot.BOUNDS,
            "searches per event",
            options -> options.with(builder -> builder.searchesPerEvent(1))),
        FeatureWorld.of(Slot.ROUNDS, "rounds", Options::rounds)
            .giving(Worlds::rounds)
            .seenBy(Worlds::isOfRounds));
  }

  /** Returns a feature by its name. */
  static FeatureWorld named(String name) {
    return all().stream().filter(world -> world.name().equals(name)).findFirst().orElseThrow();
  }

  private static FeatureWorld order(String name, SchedulingPolicy policy) {
    return FeatureWorld.of(Slot.ORDER, name, options -> options.policy(policy));
  }

  private static FeatureWorld tree(String name, Reclaiming rules) {
    QueueTree queues = QueueTree.of(QueueSpec.named("all"), queue("a"), queue("b")).with(rules);
    return FeatureWorld.of(Slot.TREE, name, options -> options.queues(queues))
        .seenBy(decision -> decision.why() instanceof Reason.Reclaimed);
  }

  private static QueueSpec queue(String name) {
    QueueQuota quota = QueueQuota.guaranteed(4);
    return QueueSpec.named(name)
        .in("all")
        .with(QuotaResource.GPUS, name.equals("b") ? quota.withLimit(5) : quota);
  }

  private static FeatureWorld speeds(String name, Performance performance) {
    return FeatureWorld.of(
            Slot.SPEEDS, name, options -> options.with(builder -> builder.performance(performance)))
        .onModels(Map.of(NodeId.of("n1"), FAST))
        .giving(Worlds::families);
  }

  private static Colocation sharing() {
    return Colocation.builder(new AnyCoRunner()).build();
  }

  private static Prefetching prefetching() {
    return Prefetching.over(Bandwidth.ofGigabytesPerSecond(1)).mostWasted(1).build();
  }

  private static void priorities(Arrival arrival, JobSpec.Builder job) {
    job.priority(
        switch (arrival.role()) {
          case TAKER -> 5;
          case LATE -> 9;
          case HOST -> 3;
          case HOLDER, SMALL, LONG, WALL, DOOMED -> 0;
        });
  }

  private static void sizes(Arrival arrival, JobSpec.Builder job) {
    int gpus = arrival.gpus();
    if (arrival.role() == Role.HOLDER || arrival.role() == Role.HOST) {
      job.parallelism(Parallelism.between((gpus + 1) / 2, gpus, 2 * gpus));
    }
  }

  private static void shares(Arrival arrival, JobSpec.Builder job) {
    if (arrival.role() == Role.HOST || arrival.role() == Role.SMALL) {
      job.sharing(new Sharing.Guaranteed(0.4));
    } else if (arrival.role() == Role.LONG) {
      job.sharing(new Sharing.Opportunistic());
    }
  }

  private static void families(Arrival arrival, JobSpec.Builder job) {
    boolean gainsMost = arrival.role() == Role.TAKER || arrival.role() == Role.LONG;
    job.workload(Workload.builder(gainsMost ? "fourfold" : "twice").build());
  }

  private static void deadlines(Arrival arrival, JobSpec.Builder job) {
    if (arrival.role() == Role.TAKER) {
      job.deadline(Instant.ofEpochSecond(arrival.at() + 3 * arrival.seconds()));
    } else if (arrival.role() == Role.LATE || arrival.role() == Role.HOST) {
      job.deadline(Instant.ofEpochSecond(arrival.at() + arrival.seconds() + 5));
    } else if (arrival.role() == Role.DOOMED) {
      job.deadline(Instant.ofEpochSecond(arrival.at() + arrival.seconds() / 2));
    }
  }

  private static void data(Arrival arrival, JobSpec.Builder job) {
    if (arrival.role() != Role.HOLDER && arrival.role() != Role.HOST) {
      job.dataset(DATA);
    }
  }

  private static void rounds(Arrival arrival, JobSpec.Builder job) {
    if (ROUNDS.contains(arrival.role())) {
      job.synchronization(new Synchronization.RelaxedRounds(arrival.gpus(), 2));
    }
  }

  private static boolean isOfRounds(Decision decision) {
    return decision instanceof Decision.AboutJob about
        && ROUNDS.stream()
            .anyMatch(role -> about.job().value().equals(role.name().toLowerCase(Locale.ROOT)));
  }

  private static boolean isShared(Decision decision) {
    return decision instanceof Decision.Start start
        && start.placement().tasks().stream().anyMatch(task -> !task.share().isWhole());
  }

  private static boolean hasGrace(Decision decision) {
    return decision instanceof Decision.Preempt preempt && preempt.until().isPresent();
  }
}
