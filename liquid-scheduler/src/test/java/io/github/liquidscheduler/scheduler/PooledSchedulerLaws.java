package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;

/** Jobs of rounds beside ordinary jobs, under every order and with what else a team may choose. */
class PooledSchedulerLaws {

  private static final List<SchedulingPolicy> POLICIES =
      List.of(
          Policies.fifo(),
          Policies.bestEffortFifo(),
          Policies.priority(),
          Policies.leastAttainedService(),
          Policies.fairShare());

  @Tag("slow")
  @Property(tries = 100)
  void noGpuIsUsedByTwoAndEveryJobOfRoundsEndsOnce(@ForAll long seed) {
    play(seed, Optional.empty());
  }

  @Property(tries = 100)
  void noGpuIsUsedByTwoWhereQueuesShareTheCluster(
      @ForAll long seed, @ForAll Reclaiming reclaiming) {
    QueueTree tree = QueueTree.of(QueueSpec.named("all"), queue("a"), queue("b")).with(reclaiming);
    play(seed, Optional.of(tree));
  }

  private static QueueSpec queue(String name) {
    QueueQuota quota = QueueQuota.guaranteed(4);
    return QueueSpec.named(name)
        .in("all")
        .with(QuotaResource.GPUS, name.equals("b") ? quota.withLimit(6) : quota);
  }

  private static void play(long seed, Optional<QueueTree> tree) {
    Random random = new Random(seed);
    PooledWorld world = new PooledWorld(random, options(random), tree);
    for (int step = 0; step < 25; step++) {
      world.happen();
    }
    world.comeToAnEnd();
  }

  private static Supplier<LiquidScheduler.Builder> options(Random random) {
    SchedulingPolicy policy = POLICIES.get(random.nextInt(POLICIES.size()));
    PreemptionRules rules =
        PreemptionRules.NONE
            .gracePeriod(Duration.ofSeconds(random.nextInt(3) * 10L))
            .moving(random.nextInt(3));
    int later = random.nextInt(4);
    int most = random.nextInt(4);
    boolean isElastic = random.nextInt(3) > 0;
    return () -> {
      LiquidScheduler.Builder builder =
          LiquidScheduler.builder(PooledWorld.cluster()).policy(policy).preemption(rules);
      if (later == 0) {
        builder.batch(BatchWindow.of(Duration.ofSeconds(5)));
      } else if (most == 0) {
        builder.startsPerEvent(1);
      }
      return isElastic ? builder.elasticity(elasticity()) : builder;
    };
  }

  private static Elasticity elasticity() {
    return Elasticity.by(SizingPolicy.marginalGain())
        .coolDown(Duration.ofSeconds(5))
        .worthwhile(0)
        .cost(ResizeCost.NONE)
        .build();
  }
}
