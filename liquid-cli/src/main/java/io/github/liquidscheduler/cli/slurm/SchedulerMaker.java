package io.github.liquidscheduler.cli.slurm;

import io.github.liquidscheduler.cli.algorithm.Algorithms;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.reconcile.Reconciler;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Makes the scheduler of a daemon.
 *
 * @param policy the name of the policy
 * @param placer the name of the placement algorithm
 * @param grace how long a pre-empted job has
 * @param queues the tree of queues; empty if there is none
 * @param more sets what else there is to set
 */
record SchedulerMaker(
    String policy,
    String placer,
    Duration grace,
    Optional<QueueTree> queues,
    Consumer<LiquidScheduler.Builder> more)
    implements Reconciler.SchedulerFactory {

  /** What random placement draws from. */
  private static final long SEED = 1;

  private static final int ENDED_REMEMBERED = 100_000;

  @Override
  public Scheduler make(ClusterTopology cluster, Optional<SchedulerSnapshot> start) {
    LiquidScheduler.Builder builder =
        builder(cluster).startsReported().completedJobHistory(ENDED_REMEMBERED);
    if (start.isPresent()) {
      return builder.restore(start.get());
    }
    LiquidScheduler made = builder.build();
    queues.ifPresent(tree -> made.on(new ClusterEvent.QueuesChanged(Instant.EPOCH, tree)));
    return made;
  }

  /** Makes one that decides so in a simulation, where a job that is started runs. */
  Scheduler simulated(ClusterTopology cluster) {
    return builder(cluster).build();
  }

  private LiquidScheduler.Builder builder(ClusterTopology cluster) {
    LiquidScheduler.Builder builder =
        LiquidScheduler.builder(cluster)
            .policy(Policies.named(policy))
            .placer(Algorithms.placer(placer, SEED))
            .preemption(PreemptionRules.NONE.gracePeriod(grace));
    more.accept(builder);
    return builder;
  }
}
