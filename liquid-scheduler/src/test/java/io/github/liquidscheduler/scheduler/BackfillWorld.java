package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.placement.colocation.AnyCoRunner;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.SharingTrigger;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Elasticity.LateJobs;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import java.time.Duration;
import java.util.Optional;

/** A set of features beside backfill, with policies that pre-empt. */
enum BackfillWorld {
  PRIORITIES,
  MOVES,
  SIZES,
  SHARING,
  FASTER_GPUS,
  LIMITS,
  COMPUTED_SHARES,
  LENT_QUOTA,
  DOMINANT_SHARES,
  QUEUES_MOVES_AND_SIZES,
  PROMISES;

  private static final PreemptionRules GRACE =
      PreemptionRules.NONE.gracePeriod(Duration.ofSeconds(20));

  private static final QueueTree QUEUES =
      QueueTree.of(
          QueueSpec.named("lab").with(QuotaResource.GPUS, QueueQuota.guaranteed(8).withLimit(12)),
          QueueSpec.named("default")
              .in("lab")
              .with(QuotaResource.GPUS, QueueQuota.guaranteed(4).withLimit(6)),
          QueueSpec.named("research").in("lab").withGpus(4));

  /** Adds the features to the options of a scheduler. */
  LiquidScheduler.Builder options(LiquidScheduler.Builder options) {
    return switch (this) {
      case MOVES -> options.preemption(GRACE.moving(3));
      case SIZES -> options.elasticity(sizes());
      case SHARING ->
          options.colocation(
              Colocation.builder(new AnyCoRunner())
                  .trigger(SharingTrigger.aboveUtilization(0.6))
                  .build());
      case FASTER_GPUS -> options.performance(HeterogeneityLaws.MOVING);
      case QUEUES_MOVES_AND_SIZES -> options.preemption(GRACE.moving(3)).elasticity(sizes());
      case PROMISES ->
          options.elasticity(
              Elasticity.by(SizingPolicy.marginalGain())
                  .cost(ResizeCost.NONE)
                  .deadlines(LateJobs.WAIT)
                  .build());
      case PRIORITIES, LIMITS, COMPUTED_SHARES, LENT_QUOTA, DOMINANT_SHARES -> options;
    };
  }

  /** Returns the scheduler options of a sequence with backfill and these features. */
  LiquidScheduler.Builder options(EventSequence sequence, ClusterTopology cluster) {
    return options(sequence.options(cluster));
  }

  /** Returns the queue tree, if there is one. */
  Optional<QueueTree> queues() {
    return switch (this) {
      case LIMITS -> Optional.of(QUEUES.with(Reclaiming.NEVER));
      case COMPUTED_SHARES, QUEUES_MOVES_AND_SIZES ->
          Optional.of(QUEUES.with(Reclaiming.COMPUTED_SHARES));
      case LENT_QUOTA -> Optional.of(QUEUES.with(Reclaiming.LENT_QUOTA));
      case DOMINANT_SHARES -> Optional.of(QUEUES.with(Reclaiming.DOMINANT_SHARES));
      default -> Optional.empty();
    };
  }

  private static Elasticity sizes() {
    return Elasticity.by(SizingPolicy.marginalGain())
        .coolDown(Duration.ofSeconds(5))
        .worthwhile(0)
        .preemptToGrow()
        .build();
  }
}
