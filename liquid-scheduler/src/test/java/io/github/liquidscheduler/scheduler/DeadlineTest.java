package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.DeadlineWorld.at;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Elasticity.LateJobs;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.Retry;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Speeds are in proportion to tasks, and changes of size cost nothing, unless a test says so. */
class DeadlineTest {

  private static DeadlineWorld world(LateJobs late, int gpus) {
    Elasticity elasticity =
        Elasticity.by(SizingPolicy.marginalGain())
            .cost(ResizeCost.NONE)
            .worthwhile(0)
            .deadlines(late)
            .build();
    LiquidScheduler scheduler =
        LiquidScheduler.builder(Session.cluster(gpus))
            .policy(Policies.deadlineFirst())
            .elasticity(elasticity)
            .build();
    return new DeadlineWorld(scheduler, tasks -> tasks, 0);
  }

  /** A job of several sizes that takes so long with one task. */
  private static JobSpec.Builder job(String id, int most, long seconds) {
    return JobSpec.builder(id)
        .gpus(1)
        .parallelism(Parallelism.between(1, 1, most))
        .expectedWork(ExpectedWork.ofDuration(Duration.ofSeconds(seconds)));
  }

  @Test
  void aJobGetsTheSmallestSizeThatMeetsItsDeadlineAndMoreWhileGpusAreFree() {
    DeadlineWorld world = world(LateJobs.REFUSE, 8);
    world.arrive(0, job("a", 8, 1000).deadline(at(400)).build());

    world.play();

    assertThat(world.told()).containsExactly("a 3 at 0", "a 8 at 60");
    assertThat(world.end("a")).isEqualTo(at(60).plusMillis((1000 - 180) * 125));
  }

  @Test
  void aJobThatCannotMeetItsDeadlineIsRefusedAndToldWhenItCouldEnd() {
    DeadlineWorld world = world(LateJobs.REFUSE, 4);
    world.arrive(0, job("a", 4, 1000).deadline(at(100)).build());

    world.play();

    assertThat(requireNonNull(world.rejected().get(JobId.of("a"))).why())
        .isEqualTo(new Reason.DeadlineUnmet(at(100), Optional.of(at(250))))
        .extracting(Reason::describe)
        .isEqualTo(
            "cannot end before its deadline, 1970-01-01T00:01:40Z; the earliest possible end is"
                + " 1970-01-01T00:04:10Z");
  }

  @Test
  void anEndThatNoEventCanHaveIsNotTold() {
    DeadlineWorld world = world(LateJobs.REFUSE, 4);
    world.arrive(0, job("a", 1, 365L * 292 * 86_400).deadline(at(100)).build());

    world.play();

    assertThat(requireNonNull(world.rejected().get(JobId.of("a"))).why())
        .isEqualTo(new Reason.DeadlineUnmet(at(100), Optional.empty()));
  }

  @Test
  void orItWaitsForTheSizeWithWhichItEndsFirst() {
    DeadlineWorld world = world(LateJobs.WAIT, 4);
    world.arrive(0, job("a", 4, 1000).deadline(at(100)).build());

    world.play();

    assertThat(world.told()).containsExactly("a 4 at 0");
    assertThat(world.ends()).containsEntry(JobId.of("a"), at(250));
  }

  @Test
  void aJobStartsLaterIfItsShareIsFreeThen() {
    DeadlineWorld world = world(LateJobs.REFUSE, 4);
    world.arrive(0, job("a", 4, 400).deadline(at(101)).build());
    world.arrive(10, job("b", 4, 400).deadline(at(210)).build());
    world.arrive(20, job("c", 4, 400).deadline(at(290)).build());

    world.play();

    assertThat(world.told()).containsExactly("a 4 at 0", "b 4 at 100");
    assertThat(world.rejected()).containsOnlyKeys(JobId.of("c"));
  }

  @Test
  void jobsWithoutADeadlineGiveWayAndUseTheRest() {
    DeadlineWorld world = world(LateJobs.REFUSE, 4);
    world.arrive(0, job("bulk", 4, 4000).build());
    world.arrive(100, job("a", 2, 400).deadline(at(320)).build());
    world.arrive(110, job("b", 2, 400).deadline(at(320)).build());

    world.play();

    assertThat(world.end("a")).isBefore(at(320));
    assertThat(world.end("b")).isBefore(at(320));
    assertThat(world.told()).contains("bulk 4 at 60", "bulk 2 at 100", "bulk 0 at 110");
  }

  @Test
  void surplusBeyondAShareGoesAtOnceToTheJobPromisedIt() {
    DeadlineWorld world = world(LateJobs.REFUSE, 4);
    world.arrive(0, job("a", 4, 1000).deadline(at(1100)).build());
    world.arrive(70, job("b", 3, 300).deadline(at(175)).build());

    world.play();

    assertThat(world.told()).contains("a 1 at 0", "a 4 at 60", "a 1 at 70", "b 3 at 70");
    assertThat(world.end("b")).isEqualTo(at(170));
    assertThat(world.end("a")).isBefore(at(1100));
  }

  @Test
  void aJobThatWaitsForItsShareIsToldWhenItEnds() {
    DeadlineWorld world = world(LateJobs.WAIT, 4);
    world.arrive(0, job("a", 4, 400).deadline(at(101)).build());
    world.arrive(10, job("b", 4, 400).deadline(at(210)).build());
    world.arrive(20, job("c", 4, 400).deadline(at(290)).build());

    world.playUntil(30);

    assertThat(world.explain("b"))
        .startsWith(
            """
            job 'b' waits:
              first in the queue; promised to start by 1970-01-01T00:01:40Z and to end by\
             1970-01-01T00:03:20Z
              PROMISED_START (4 tasks from 1970-01-01T00:01:40Z on, its deadline is\
             1970-01-01T00:03:30Z): 10 of 90 seconds have passed\
            """);
    assertThat(world.explain("c"))
        .contains(
            "promised to start by 1970-01-01T00:03:20Z and to end by 1970-01-01T00:05:00Z",
            "its deadline is 1970-01-01T00:04:50Z");
    world.play();
    assertThat(world.end("c")).isEqualTo(at(300));
  }

  /** It is tried no sooner although its GPUs are free and other jobs come and go. */
  @Test
  void aPromisedJobThatFailedWaitsForTheEndOfItsRetryDelay() {
    Session session =
        new Session(
            LiquidScheduler.builder(Session.cluster(4))
                .policy(Policies.deadlineFirst())
                .elasticity(
                    Elasticity.by(SizingPolicy.marginalGain()).deadlines(LateJobs.REFUSE).build())
                .build());
    session.submit(Session.aJobOf("a", 4, 100).deadline(at(1000)));

    assertThat(session.at(5).fail("a", Failure.CRASHED, Retry.after(Duration.ofMinutes(1))))
        .isEmpty();
    assertThat(session.at(20).submit("other", 1)).containsExactly("start other");
    assertThat(session.at(30).finish("other")).isEmpty();
    assertThat(session.at(65).pass()).containsExactly("start a");
  }

  @Test
  void aJobToWhichNothingCanBePromisedIsToldSo() {
    DeadlineWorld world = world(LateJobs.WAIT, 4);
    ExpectedWork centuries = ExpectedWork.ofDuration(Duration.ofDays(100_000));
    world.arrive(
        0, JobSpec.builder("a").gpus(4).expectedWork(centuries).preemptible(false).build());
    world.arrive(10, job("b", 4, 400).deadline(at(500)).build());

    world.playUntil(10);

    assertThat(world.explain("b"))
        .contains(
            "PROMISED_START (no share can be promised, its deadline is 1970-01-01T00:08:20Z)");
  }
}
