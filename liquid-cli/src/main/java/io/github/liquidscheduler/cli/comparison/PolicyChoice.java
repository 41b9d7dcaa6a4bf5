package io.github.liquidscheduler.cli.comparison;

import io.github.liquidscheduler.cli.algorithm.Algorithms;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import java.util.Optional;

/** A policy to compare, named as it was given, like {@code fifo+easy}, and a placer. */
public record PolicyChoice(String policy, String placer) {
  private static final String WITH_BACKFILL = "\\+";

  /** Checks both names. */
  public PolicyChoice {
    backfill(policy);
    named(policy);
    Algorithms.placer(placer, 0);
  }

  /** Returns a scheduler by it, of a cluster on which nothing runs. */
  public LiquidScheduler scheduler(ClusterTopology cluster, long seed) {
    LiquidScheduler.Builder scheduler =
        LiquidScheduler.builder(cluster)
            .policy(named(policy))
            .placer(Algorithms.placer(placer, seed));
    backfill(policy).ifPresent(scheduler::backfill);
    return scheduler.build();
  }

  private static SchedulingPolicy named(String policy) {
    return Policies.named(policy.split(WITH_BACKFILL, 2)[0]);
  }

  private static Optional<Backfill> backfill(String policy) {
    String[] parts = policy.split(WITH_BACKFILL, 2);
    if (parts.length == 1) {
      return Optional.empty();
    }
    return switch (parts[1]) {
      case "easy" -> Optional.of(Backfill.reserving(1));
      case "conservative" -> Optional.of(Backfill.conservative());
      default ->
          throw new IllegalArgumentException(
              "a policy may be followed by +easy or +conservative, but was '" + policy + "'");
    };
  }
}
