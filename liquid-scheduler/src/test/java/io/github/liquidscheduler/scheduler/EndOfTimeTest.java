package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static io.github.liquidscheduler.scheduler.Session.aJobOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.performance.GpuSpeedTable;
import io.github.liquidscheduler.scheduler.performance.Performance;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Elasticity.LateJobs;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.RetryBackoff;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduler.prefetch.Prefetching;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.Forecast;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.scheduling.Retry;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What is never, or only after the last event that can be taken, is in nobody's way. */
class EndOfTimeTest {

  private static final Instant LAST = Instant.parse("2261-12-31T23:59:59.999999999Z");

  private static final List<Duration> LONG =
      List.of(
          Duration.ofDays(365L * 300),
          Duration.ofMinutes(4_294_967_295L),
          Duration.ofDays(365L * 9000),
          Duration.ofSeconds(Long.MAX_VALUE / 2),
          Duration.ofSeconds(Long.MAX_VALUE, 999_999_999));

  @Test
  void aLookAheadDoesNotWaitForAJobOfUnlimitedRunTime() {
    for (Duration unlimited : LONG) {
      Session session = Session.of(Policies.fifo(), 8);
      session.submit(aJob("unlimited", 4).expectedWork(ExpectedWork.ofDuration(unlimited)));
      session.submit(aJobOf("hour", 4, 3600));
      session.submit(aJobOf("mine", 4, 60));

      Forecast forecast = session.scheduler.whatIf(List.of(), 100);
      assertThat(forecast.steps()).hasSize(2);
      assertThat(forecast.isCutShort()).isFalse();
      assertThat(
              session.scheduler.startIf(
                  JobId.of("mine"),
                  (job, worked) -> job.expectedWork().flatMap(ExpectedWork::duration),
                  100))
          .contains(Instant.ofEpochSecond(3600));
    }
  }

  @Test
  void aLookAheadDoesNotWaitForAnOverdueJobThatIsExpectedToEndAfterTheLastEvent() {
    Session session = Session.of(Policies.fifo(), 4);
    session.scheduler.on(
        new ClusterEvent.JobSubmitted(
            LAST.minusSeconds(100),
            aJob("overdue", 4)
                .expectedWork(ExpectedWork.ofDuration(Duration.ofSeconds(60)))
                .build()));
    session.scheduler.on(new ClusterEvent.TimePassed(LAST.minusSeconds(30)));

    assertThat(session.scheduler.whatIf(List.of(), 3).steps()).isEmpty();
  }

  @Test
  void aJobMayEndBeforeItsLaunchIsExpectedToEnd() {
    for (Duration launch : LONG) {
      Prefetching data = Prefetching.over(Bandwidth.ofGigabitsPerSecond(1)).launch(launch).build();
      Session session = session(options -> options.prefetch(data));
      session.submit(aJobOf("a", 4, 60));

      assertThatCode(() -> session.at(60).finish("a")).doesNotThrowAnyException();
    }
  }

  @Test
  void aRetryThatIsPutOffForEverAsksForNoWakeUpAndIsNotExpectedToStart() {
    for (Duration delay : LONG) {
      Session session = Session.of(Policies.bestEffortFifo(), 4);
      session.submit("a", 2);

      session.at(5).fail("a", Failure.CRASHED, Retry.after(delay));

      assertIsNeverExpected(session, "a");
    }
  }

  @Test
  void aDelayWithoutEndIsExplainedByWhatEndsIt() {
    Session session = Session.of(Policies.bestEffortFifo(), 4);
    session.submit("a", 2);
    session.fail("a", Failure.CRASHED, Retry.after(Duration.ofSeconds(Long.MAX_VALUE)));

    assertThat(session.explain("a").describe())
        .contains("BACK_OFF (until it is updated)")
        .doesNotContain("+1000000000");
    assertThat(session.update(aJob("a", 2))).containsExactly("start a");
  }

  @Test
  void whoIsPromisedNothingBehindAJobOfUnknownEndAsksForNoWakeUp() {
    Session session = new Session(deadlines(Session.cluster(4)).build());
    session.submit(aJob("unknown", 4).preemptible(false));
    session.submit(aJob("waits", 4).deadline(Instant.ofEpochSecond(100)));

    assertIsNeverExpected(session, "waits");
  }

  @Test
  void aBatchWindowThatNeverClosesAsksForNoWakeUp() {
    for (Duration time : LONG) {
      Session session = session(options -> options.batch(BatchWindow.of(time)));
      session.submit("a", 2);

      assertThat(session.scheduler.nextWakeUp()).isEmpty();
      assertThat(session.explain("a").describe()).doesNotContain("+1000000000");
    }
  }

  private static Session session(UnaryOperator<LiquidScheduler.Builder> options) {
    LiquidScheduler.Builder plain =
        LiquidScheduler.builder(Session.cluster(4)).policy(Policies.bestEffortFifo());
    return new Session(options.apply(plain).build());
  }

  private static void assertIsNeverExpected(Session session, String job) {
    assertThat(session.scheduler.nextWakeUp()).isEmpty();
    assertThat(session.scheduler.whatIf(List.of(), 3).steps()).isEmpty();
    assertThat(session.explain(job).queue().expectedStart()).isEmpty();
  }

  @Test
  void theLastEventsAreTakenWithEveryOption() {
    modes(Duration.ofHours(1))
        .forEach(
            (mode, options) ->
                assertThatCode(() -> play(options.build(), LAST, Duration.ofHours(1)))
                    .as(mode)
                    .doesNotThrowAnyException());
  }

  @Test
  void noTimeIsTooLongForAnyOption() {
    for (Duration time : LONG) {
      for (Duration work : LONG) {
        for (Instant now : List.of(Instant.EPOCH, LAST)) {
          modes(time)
              .forEach(
                  (mode, options) ->
                      assertThatCode(() -> play(options.build(), now, work))
                          .as("%s of %s, jobs of %s, at %s", mode, time, work, now)
                          .doesNotThrowAnyException());
        }
      }
    }
  }

  /** Returns builders of schedulers, by the option that is a time. */
  private static Map<String, LiquidScheduler.Builder> modes(Duration time) {
    Map<String, LiquidScheduler.Builder> modes = new LinkedHashMap<>();
    PreemptionRules none = PreemptionRules.NONE;
    modes.put("srtf", builder().policy(Policies.shortestRemainingTimeFirst()));
    modes.put("las", builder().policy(Policies.leastAttainedService(List.of(time))));
    modes.put(
        "las with promotion",
        builder().policy(Policies.leastAttainedServiceWithPromotion(List.of(time), 2)));
    modes.put("easy", builder().backfill(Backfill.easy().assuming(time)));
    modes.put(
        "conservative",
        builder().backfill(Backfill.conservative().assuming(time).holdingAfter(time, 1)));
    modes.put("grace", preemptive().preemption(none.gracePeriod(time)));
    modes.put("least run time", preemptive().preemption(none.minRunTime(time)));
    modes.put("pause of a move", preemptive().preemption(none.moving(2).movePause(time)));
    modes.put("rest", preemptive().preemption(none.moving(2).restAfterMove(time).movesPerHour(1)));
    modes.put("deadlines", deadlines(cluster()));
    modes.put(
        "deadlines and pre-emption",
        deadlines(cluster()).preemption(none.gracePeriod(time).minRunTime(time)));
    modes.put(
        "sizes",
        builder()
            .elasticity(
                Elasticity.by(SizingPolicy.optimus())
                    .coolDown(time)
                    .cost(new ResizeCost(time, time, time))
                    .profileAgain(0.1, time)
                    .build()));
    modes.put(
        "deadlines and sizes",
        deadlines(cluster())
            .elasticity(
                Elasticity.by(SizingPolicy.optimus())
                    .coolDown(time)
                    .cost(new ResizeCost(time, time, time))
                    .deadlines(LateJobs.WAIT)
                    .build()));
    modes.put("batch", builder().batch(BatchWindow.of(time).planTimeout(time)));
    modes.put("retries", builder().retries(new RetryBackoff(time, 1000, time, 100)));
    modes.put("models", builder().performance(Performance.by(SPEEDS).moving(time)));
    modes.put(
        "data",
        builder()
            .prefetch(
                Prefetching.over(Bandwidth.ofGigabitsPerSecond(1))
                    .launch(time)
                    .slack(time)
                    .atMostEvery(time)
                    .build()));
    return modes;
  }

  private static final GpuSpeedTable SPEEDS =
      GpuSpeedTable.builder()
          .speed("family", GpuModel.of("V100"), 10)
          .speed("family", GpuModel.of("K80"), 1)
          .build();

  private static ClusterTopology cluster() {
    return ClusterTopology.builder()
        .node(Node.builder("v").gpus(2, GpuModel.of("V100"), Memory.ofGib(16)).build())
        .node(Node.builder("k").gpus(2, GpuModel.of("K80"), Memory.ofGib(16)).build())
        .build();
  }

  private static LiquidScheduler.Builder builder() {
    return LiquidScheduler.builder(cluster()).policy(Policies.bestEffortFifo());
  }

  private static LiquidScheduler.Builder preemptive() {
    return LiquidScheduler.builder(cluster()).policy(Policies.priority());
  }

  private static LiquidScheduler.Builder deadlines(ClusterTopology cluster) {
    return LiquidScheduler.builder(cluster)
        .policy(Policies.deadlineFirst())
        .elasticity(Elasticity.by(SizingPolicy.optimus()).deadlines(LateJobs.WAIT).build());
  }

  /** Lets jobs come, report, fail and wait until the last instant, and asks about all of them. */
  private static void play(LiquidScheduler scheduler, Instant now, Duration work) {
    for (int i = 0; i < 4; i++) {
      scheduler.on(new ClusterEvent.JobSubmitted(now, job(i, now, work)));
    }
    ask(scheduler);
    for (JobId job : running(scheduler)) {
      scheduler.on(new ClusterEvent.JobProgressed(now, job, Progress.of(1, 1e-300)));
      ask(scheduler);
      scheduler.on(
          new ClusterEvent.JobProgressed(now, job, Progress.of(2, 1e300).withRemaining(work)));
    }
    for (JobId job : running(scheduler)) {
      if (scheduler.view().placement(job).isPresent()) {
        scheduler.on(new ClusterEvent.JobFailed(now, job, Failure.CRASHED, Retry.after(work)));
        ask(scheduler);
      }
    }
    scheduler.on(new ClusterEvent.TimePassed(now));
    ask(scheduler);
    scheduler.on(new ClusterEvent.TimePassed(LAST));
    ask(scheduler);
  }

  private static List<JobId> running(LiquidScheduler scheduler) {
    return scheduler.view().runningJobs().stream()
        .filter(job -> !(scheduler.status(job).orElseThrow() instanceof JobStatus.Starting))
        .toList();
  }

  private static JobSpec job(int number, Instant now, Duration work) {
    return JobSpec.builder("j" + number)
        .gpus(2)
        .priority(number)
        .deadline(number == 0 ? Instant.MAX : number == 1 ? Instant.MIN : now)
        .expectedWork(
            number == 3 ? ExpectedWork.of(work, Long.MAX_VALUE) : ExpectedWork.ofDuration(work))
        .parallelism(Parallelism.between(1, 2, 4))
        .build();
  }

  private static void ask(LiquidScheduler scheduler) {
    assertThat(scheduler.nextWakeUp().filter(LAST::isBefore)).isEmpty();
    for (JobId job : scheduler.waiting()) {
      assertThat(scheduler.explain(job).describe()).doesNotContain("+1000000000");
    }
    scheduler.whatIf(List.of(), 6);
    scheduler.copy();
    assertThat(Optional.of(scheduler.snapshot())).isPresent();
  }
}
