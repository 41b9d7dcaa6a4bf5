package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.DeadlineWorld.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Elasticity.LateJobs;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Promised jobs come first under every policy, which orders the others. */
class DeadlineOrdersTest {

  static List<SchedulingPolicy> policies() {
    return Policies.names().stream().map(Policies::named).toList();
  }

  private static DeadlineWorld world(SchedulingPolicy policy, PreemptionRules rules, int gpus) {
    Elasticity elasticity =
        Elasticity.by(SizingPolicy.marginalGain())
            .cost(ResizeCost.NONE)
            .deadlines(LateJobs.REFUSE)
            .build();
    return new DeadlineWorld(
        LiquidScheduler.builder(Session.cluster(gpus))
            .policy(policy)
            .preemption(rules)
            .elasticity(elasticity)
            .build(),
        tasks -> tasks,
        0);
  }

  private static DeadlineWorld world(SchedulingPolicy policy) {
    return world(policy, PreemptionRules.NONE, 4);
  }

  private static JobSpec.Builder job(String id, int gpus, long seconds) {
    return JobSpec.builder(id)
        .gpus(gpus)
        .expectedWork(ExpectedWork.ofDuration(Duration.ofSeconds(seconds)));
  }

  @ParameterizedTest
  @MethodSource("policies")
  void aPromisedJobStartsBeforeTheFirstOfTheOrderAndStopsTheOthers(SchedulingPolicy policy) {
    DeadlineWorld world = world(policy);
    world.arrive(0, job("first", 2, 50).priority(9).build());
    world.arrive(0, job("bulk", 2, 400).priority(9).build());
    world.arrive(1, job("head", 4, 900).priority(9).build());
    world.arrive(10, job("a", 4, 500).queue("b").deadline(at(520)).build());

    world.playUntil(20);

    assertThat(world.told()).contains("first 0 at 10", "bulk 0 at 10").endsWith("a 4 at 10");
  }

  @ParameterizedTest
  @MethodSource("policies")
  void nobodyStopsAJobFromItsPromisedStartOn(SchedulingPolicy policy) {
    DeadlineWorld world = world(policy);
    world.arrive(0, job("a", 4, 500).deadline(at(520)).build());
    world.arrive(10, job("short", 1, 5).priority(9).build());
    world.arrive(20, job("b", 1, 100).deadline(at(620)).build());

    world.play();

    assertThat(world.told()).containsExactly("a 4 at 0", "b 1 at 500", "short 1 at 500");
  }

  @Test
  void neitherMinimumRunTimeNorPreemptionLimitProtectsAgainstAPromise() {
    PreemptionRules rules = PreemptionRules.NONE.minRunTime(Duration.ofHours(1)).mostPreemptions(1);
    DeadlineWorld world = world(Policies.fifo(), rules, 4);
    world.arrive(0, job("bulk", 4, 1000).build());
    world.arrive(10, job("a", 4, 10).deadline(at(25)).build());
    world.arrive(30, job("b", 4, 10).deadline(at(45)).build());

    world.play();

    assertThat(world.told())
        .containsExactly(
            "bulk 4 at 0",
            "bulk 0 at 10",
            "a 4 at 10",
            "bulk 4 at 20",
            "bulk 0 at 30",
            "b 4 at 30",
            "bulk 4 at 40");
  }

  @Test
  void aPromiseCountsTheGracePeriodOfThoseWhoGiveWay() {
    for (long deadline : new long[] {339, 340}) {
      PreemptionRules rules = PreemptionRules.NONE.gracePeriod(Duration.ofSeconds(30));
      DeadlineWorld world = world(Policies.fifo(), rules, 4);
      world.arrive(0, job("bulk", 4, 1000).build());
      world.arrive(10, job("a", 4, 300).deadline(at(deadline)).build());

      world.playUntil(20);

      assertThat(world.rejected().containsKey(JobId.of("a"))).isEqualTo(deadline == 339);
    }
  }

  @Test
  void aPolicyThatStopsNobodyDoesSoAmongJobsThatArePromisedNothing() {
    DeadlineWorld world = world(Policies.shortestJobFirst());
    world.arrive(0, job("long", 4, 1000).build());
    world.arrive(10, job("short", 4, 10).build());

    world.playUntil(20);

    assertThat(world.told()).containsExactly("long 4 at 0");
  }

  @Test
  void theFirstOfTheOrderStillBlocksWhereJobsBypassNobody() {
    DeadlineWorld world = world(Policies.fifo());
    world.arrive(0, job("bulk", 2, 100).build());
    world.arrive(1, job("head", 4, 30).build());
    world.arrive(2, job("small", 1, 30).build());
    world.arrive(3, job("a", 1, 30).deadline(at(50)).build());

    world.playUntil(20);

    assertThat(world.told()).containsExactly("bulk 2 at 0", "a 1 at 3");
  }

  @Test
  void aJobThatOutlivesItsExpectationStillGivesWay() {
    DeadlineWorld world = world(Policies.shortestRemainingTimeFirst());
    world.arrive(0, job("wrong", 4, 10).build());
    world.outlive("wrong", 1000);
    world.arrive(60, job("a", 4, 10).deadline(at(75)).build());

    world.playUntil(65);

    assertThat(world.told()).containsExactly("wrong 4 at 0", "wrong 0 at 60", "a 4 at 60");
  }
}
