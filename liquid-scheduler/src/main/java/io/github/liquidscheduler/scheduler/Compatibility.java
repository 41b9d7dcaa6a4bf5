package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;

/** Combinations of options that a scheduler rejects because they are not supported yet. */
record Compatibility(LiquidScheduler.Builder parts, SchedulingPolicy policy) {

  /**
   * Returns the policy, once the combination of options is checked.
   *
   * @throws IllegalStateException if there is no policy or options exclude each other
   */
  static SchedulingPolicy requirePolicy(LiquidScheduler.Builder parts) {
    if (parts.policy == null) {
      throw new IllegalStateException(
          "a scheduler needs a policy, but none was set. Use policy(Policies.fifo())");
    }
    new Compatibility(parts, parts.policy).check();
    return parts.policy;
  }

  private void check() {
    refuse(
        policy.preempts() && policy.queueOrder().isPresent(),
        "a policy that pre-empts must not order queues, but '%s' does both"
            .formatted(policy.name()));
    refuse(
        parts.placer != null && parts.colocation != null,
        "a scheduler has either a placer or co-location, but was given both. Use"
            + " Colocation.builder(…).base(placer)");
    checkElasticity();
    checkBackfill();
  }

  private void checkElasticity() {
    refuse(
        parts.batch != null && parts.elasticity != null && parts.elasticity.startsSmall(),
        "jobs that start at their smallest sizes are not supported yet together with batch mode");
  }

  private void checkBackfill() {
    refuse(
        parts.backfill != null && parts.batch != null,
        "backfill is not supported yet together with batch mode");
  }

  private static void refuse(boolean excluded, String message) {
    if (excluded) {
      throw new IllegalStateException(message);
    }
  }
}
