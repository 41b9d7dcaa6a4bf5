package io.github.liquidscheduler.examples.extensions;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.testkit.SchedulingPolicyContract;

/** A policy of an embedder's keeps the contract of policies. */
class ProductionFirstLaws extends SchedulingPolicyContract {
  @Override
  protected Scheduler scheduler(ClusterTopology cluster) {
    return LiquidScheduler.builder(cluster).policy(new ProductionFirst()).build();
  }
}
