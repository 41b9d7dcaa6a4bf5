package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.DeadlineWorld.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Elasticity.LateJobs;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Promises of deadlines come before reservations of waiting jobs. */
class DeadlineBackfillTest {

  private static LiquidScheduler scheduler(Backfill backfill, Duration grace) {
    return LiquidScheduler.builder(Session.cluster(4))
        .policy(Policies.fifo())
        .preemption(PreemptionRules.NONE.gracePeriod(grace))
        .backfill(backfill)
        .elasticity(Elasticity.by(SizingPolicy.marginalGain()).deadlines(LateJobs.REFUSE).build())
        .build();
  }

  private static DeadlineWorld world(Backfill backfill) {
    return new DeadlineWorld(scheduler(backfill, Duration.ZERO), tasks -> tasks, 0);
  }

  private static JobSpec.Builder job(String id, int gpus, long seconds) {
    return JobSpec.builder(id)
        .gpus(gpus)
        .expectedWork(ExpectedWork.ofDuration(Duration.ofSeconds(seconds)));
  }

  @Test
  void aReservationWhoseGpusAPromiseTakesIsRepairedAndNotDropped() {
    DeadlineWorld world = world(Backfill.easy());
    world.arrive(0, job("bulk", 2, 100).build());
    world.arrive(1, job("large", 4, 50).build());
    world.arrive(10, job("a", 2, 300).deadline(at(320)).build());

    world.playUntil(5);
    assertThat(world.reservedStart("large")).contains(at(100));
    world.playUntil(20);
    assertThat(world.told()).containsExactly("bulk 2 at 0", "a 2 at 10");
    assertThat(world.reservedStart("large")).contains(at(310));
  }

  @Test
  void aPromisedJobStopsOneThatStartedBesideReservations() {
    DeadlineWorld world = world(Backfill.easy());
    world.arrive(0, job("bulk", 2, 100).build());
    world.arrive(1, job("large", 4, 50).build());
    world.arrive(2, job("filler", 2, 90).build());
    world.arrive(10, job("a", 4, 300).deadline(at(320)).build());

    world.playUntil(20);

    assertThat(world.told()).contains("filler 2 at 2", "filler 0 at 10").endsWith("a 4 at 10");
    assertThat(world.reservedStart("bulk")).contains(at(310));
  }

  @Test
  void aPromisedJobComesBeforeOneThatIsOverdue() {
    DeadlineWorld world = world(Backfill.reserving(2).holdingAfter(Duration.ofSeconds(30), 1));
    world.arrive(0, job("bulk", 3, 100).build());
    world.arrive(1, job("overdue", 4, 50).build());
    world.arrive(60, job("a", 4, 300).deadline(at(365)).build());

    world.playUntil(70);

    assertThat(world.told()).containsExactly("bulk 3 at 0", "bulk 0 at 60", "a 4 at 60");
  }

  @Test
  void aPromisedJobDoesNotWaitForAnEndWithinTheGracePeriod() {
    Session session = new Session(scheduler(Backfill.easy(), Duration.ofSeconds(30)));
    session.submit(job("bulk", 4, 100));

    assertThat(session.at(90).submit(job("a", 4, 300).deadline(at(435))))
        .containsExactly("preempt bulk", "start a");
  }
}
