package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.Retry;
import io.github.liquidscheduler.scheduling.WindowTrigger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchWindowTest {

  static final BatchWindow WINDOW =
      BatchWindow.of(Duration.ofSeconds(15)).planTimeout(Duration.ofSeconds(5));

  private final Session session = session(Policies.bestEffortFifo(), WINDOW, 4, 4);

  @Test
  void aPlanThatComesAfterItsTimeoutChangesNothing() {
    for (int late : List.of(30, 86_400)) {
      Session session =
          new Session(
              LiquidScheduler.builder(Session.cluster(2, 2))
                  .policy(Policies.bestEffortFifo())
                  .batch(BatchWindow.of(Duration.ZERO).planTimeout(Duration.ofSeconds(30)))
                  .build());
      assertThat(session.submit("a", 1)).containsExactly("plan [a]");

      assertThat(session.at(late).plan(1, "a on n1 1")).containsExactly("start a");
      assertThat(((Decision.Start) session.last().get(0)).placement())
          .isEqualTo(Session.place("a on n0 0"));
    }
  }

  @Test
  void schedulersOfOneBuilderHaveWindowsOfTheirOwn() {
    LiquidScheduler.Builder builder =
        LiquidScheduler.builder(Session.cluster(4))
            .policy(Policies.bestEffortFifo())
            .batch(BatchWindow.of(Duration.ofSeconds(15)));
    Session one = new Session(builder.build());
    Session other = new Session(builder.build());
    one.submit("a", 1);

    assertThat(other.at(15).pass()).isEmpty();
    assertThat(other.submit("b", 1)).isEmpty();
    assertThat(one.at(15).pass()).containsExactly("plan [a]");
    assertThat(other.at(30).pass()).containsExactly("plan [b]");
  }

  @Test
  void jobsGatherUntilTheTimeIsUp() {
    assertThat(session.submit("a", 1)).isEmpty();
    assertThat(session.at(10).submit("b", 2)).isEmpty();
    assertThat(session.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(15));

    assertThat(session.at(15).pass()).containsExactly("plan [a, b]");

    assertThat(session.last().get(0).why())
        .isEqualTo(new Reason.WindowClosed(WindowTrigger.TIME, 2));
    assertThat(session.waiting()).containsExactly("a", "b");
  }

  @Test
  void aPlanIsCarriedOut() {
    request("a", "b");

    assertThat(session.at(16).plan(1, "a on n1 3", "b on n1 1"))
        .containsExactly("start a", "start b");

    Decision.Start start = (Decision.Start) session.last().get(0);
    assertThat(start.why()).isEqualTo(new Reason.Planned(1));
    assertThat(start.placement()).isEqualTo(Session.place("a on n1 3"));
    assertThat(session.scheduler.nextWakeUp()).isEmpty();
  }

  @Test
  void aJobGoesOnOnceTheOneThatBlocksItIsCancelled() {
    Session fifo = session(Policies.fifo(), WINDOW, 4);
    fifo.submit("a", 3);
    fifo.at(15).pass();
    assertThat(fifo.plan(1, "a on n0 0 1 2")).containsExactly("start a");
    fifo.submit("big", 4);
    fifo.submit("small", 1);
    fifo.at(30).pass();
    assertThat(fifo.plan(2)).isEmpty();

    fifo.at(40).cancel("big");

    assertThat(fifo.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(55));
    assertThat(fifo.at(55).pass()).containsExactly("plan [small]");
  }

  /** Without deferability a would take the capacity of b, as it is first in turn. */
  @Test
  void aPatientJobWaitsForThoseThatArePlannedBehindIt() {
    Session deferrable = session(Policies.bestEffortFifo(), WINDOW.bypassLimit(1), 4);
    deferrable.submit("a", 4);
    deferrable.submit("b", 4);
    deferrable.at(15).pass();

    assertThat(deferrable.deferrable()).containsExactly("a", "b");
    assertThat(deferrable.at(16).plan(1, "b on n0 0 1 2 3")).containsExactly("start b");
    assertThat(deferrable.waiting()).containsExactly("a");
    assertThat(deferrable.entry("a").history().bypassed()).isEqualTo(1);
  }

  @Test
  void aJobThatWasOvertakenOftenEnoughIsPatientNoMore() {
    Session deferrable = session(Policies.bestEffortFifo(), WINDOW.bypassLimit(1), 4);
    deferrable.submit("a", 4);
    deferrable.submit("b", 4);
    deferrable.submit("c", 4);
    deferrable.at(15).pass();
    deferrable.at(16).plan(1, "b on n0 0 1 2 3");
    deferrable.at(20).finish("b");
    deferrable.at(35).pass();

    assertThat(deferrable.deferrable()).containsExactly("c");
    assertThat(deferrable.at(36).plan(2, "c on n0 0 1 2 3")).containsExactly("start a");
  }

  @Test
  void aPlanWithMoreThanMayOvertakeAJobDoesNotOvertakeIt() {
    Session deferrable = session(Policies.bestEffortFifo(), WINDOW.bypassLimit(1), 4);
    deferrable.submit("a", 4);
    deferrable.submit("b", 2);
    deferrable.submit("c", 2);
    deferrable.at(15).pass();

    assertThat(deferrable.at(16).plan(1, "b on n0 0 1", "c on n0 2 3")).containsExactly("start a");
  }

  @Test
  void noJobIsDeferrableUnderAPreemptivePolicy() {
    Session ranked = session(Policies.priority(), WINDOW.bypassLimit(5), 4);
    ranked.submit("a", 4);
    ranked.at(15).pass();

    assertThat(ranked.deferrable()).isEmpty();
  }

  @Test
  void aFullWindowClosesAtOnce() {
    Session full = session(Policies.fifo(), WINDOW.maxJobs(2), 4);
    full.submit("a", 1);

    assertThat(full.submit("b", 1)).containsExactly("plan [a, b]");
    assertThat(full.last().get(0).why()).isEqualTo(new Reason.WindowClosed(WindowTrigger.COUNT, 2));
  }

  @Test
  void aWindowOfMuchWorkClosesAtOnce() {
    Session pressed = session(Policies.fifo(), WINDOW.queuedGpuFraction(0.75), 4, 4);
    pressed.submit("a", 4);

    assertThat(pressed.submit("b", 2)).containsExactly("plan [a, b]");
    assertThat(pressed.last().get(0).why())
        .isEqualTo(new Reason.WindowClosed(WindowTrigger.PRESSURE, 2));
  }

  @Test
  void aWindowWithoutTimeClosesAtOnce() {
    Session hasty = session(Policies.fifo(), BatchWindow.of(Duration.ZERO), 4);

    assertThat(hasty.submit("a", 1)).containsExactly("plan [a]");
  }

  @Test
  void whileAPlanIsAwaitedTheNextWindowGathers() {
    request("a");
    session.at(16).submit("b", 1);

    assertThat(session.at(18).plan(1, "a on n0 0")).containsExactly("start a");
    assertThat(session.at(31).pass()).containsExactly("plan [b]");
  }

  @Test
  void aPlanIsForTheFirstInTurnIfThereAreTooMany() {
    Session few = session(Policies.fifo(), WINDOW.maxPlanSize(2), 4);
    few.submit("a", 1);
    few.submit("b", 1);
    few.submit("c", 1);

    assertThat(few.at(15).pass()).containsExactly("plan [a, b]");
    few.at(16).plan(1, "a on n0 0", "b on n0 1");
    assertThat(few.at(30).pass()).containsExactly("plan [c]");
  }

  @Test
  void withoutAPlanInTimeTheJobsArePlacedAsTheyCome() {
    request("a", "b");
    assertThat(session.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(20));

    assertThat(session.at(20).pass()).containsExactly("start a", "start b");
    assertThat(session.last().get(0).why()).isEqualTo(new Reason.Scheduled("best-effort-fifo", 0));
  }

  @Test
  void aJobWhosePlanTimedOutStartsWhenCapacityAllows() {
    session.submit("big", 8);
    session.at(15).pass();
    session.at(16).plan(1);
    session.submit("late", 8);
    session.at(31).pass();
    session.at(36).pass();

    assertThat(session.running()).containsExactly("big");
    assertThat(session.at(40).finish("big")).containsExactly("start late");
  }

  @Test
  void aPlanThatComesTooLateChangesNothing() {
    request("a", "b");
    session.at(20).pass();
    var before = session.scheduler.snapshot();

    assertThat(session.plan(1, "a on n1 0", "b on n1 1")).isEmpty();
    assertThat(session.scheduler.snapshot()).isEqualTo(before);
  }

  @Test
  void aPlanThatComesTwiceChangesNothingTheSecondTime() {
    request("a", "b");
    session.at(16).plan(1, "a on n1 0");
    session.at(17).finish("a");
    var before = session.scheduler.snapshot();

    assertThat(session.plan(1, "a on n1 0", "b on n1 1")).isEmpty();
    assertThat(session.scheduler.snapshot()).isEqualTo(before);
  }

  @Test
  void aJobThatIsGoneIsNotStarted() {
    request("a", "b");
    session.at(16).cancel("a");

    assertThat(session.plan(1, "a on n1 0", "b on n1 1")).containsExactly("start b");
  }

  @Test
  void aJobWhoseNodeIsGoneFindsAPlaceBesideThoseOfTheOthers() {
    request("a", "b");
    session.at(16).lose("n0");

    assertThat(session.plan(1, "a on n0 0", "b on n1 0")).containsExactly("start a", "start b");
    assertThat(((Decision.Start) session.last().get(0)).placement())
        .isEqualTo(Session.place("a on n1 1"));
    assertThat(session.last().get(1).why()).isEqualTo(new Reason.Planned(1));
  }

  @Test
  void aPlanLetsNobodyOvertakeWhoCouldStart() {
    session.submit("a", 8);
    session.submit("b", 1);
    session.at(15).pass();

    assertThat(session.plan(1, "b on n0 0")).containsExactly("start a");
  }

  @Test
  void whatAPlanHasNoPlaceForStartsIfThereIsOne() {
    request("a", "b");

    assertThat(session.plan(1, "b on n0 0")).containsExactly("start a", "start b");
  }

  @Test
  void aJobThatDoesNotFitIsPlannedAgainOnceCapacityGrows() {
    session.submit("a", 8);
    session.submit("b", 8);
    session.at(15).pass();
    session.at(16).plan(1);
    assertThat(session.scheduler.nextWakeUp()).isEmpty();

    assertThat(session.at(100).finish("a")).isEmpty();
    assertThat(session.at(115).pass()).containsExactly("plan [b]");
  }

  @Test
  void aStrictPolicyLetsAPlanStartNobodyBeforeTheFirst() {
    Session strict = session(Policies.fifo(), WINDOW, 4);
    strict.submit("a", 4);
    strict.at(15).pass();
    strict.at(16).plan(1);
    strict.submit("b", 4);
    strict.submit("c", 1);
    strict.at(31).pass();
    strict.at(32).fail("a", Failure.CRASHED, Retry.now());

    assertThat(strict.plan(2, "b on n0 0 1 2 3")).containsExactly("start a");
  }

  @Test
  void aJobOfHigherPriorityGoesBeforeThoseOfThePlan() {
    Session priority = session(Policies.priority(), WINDOW, 4);
    priority.submit("a", 4);
    priority.at(15).pass();
    priority.at(16).submit(Session.aJob("b", 4).priority(9));

    assertThat(priority.at(17).plan(1, "a on n0 0 1 2 3")).containsExactly("start b");
  }

  @Test
  void whatAPreemptionFreesIsKnownToThoseOfThePlan() {
    Session priority = session(Policies.priority(), WINDOW, 4, 1);
    priority.submit("low", 4);
    priority.at(15).pass();
    assertThat(priority.at(16).plan(1, "low on n0 0 1 2 3")).containsExactly("start low");
    priority.submit(Session.aJob("high", 4).priority(1));
    priority.submit("b", 1);
    priority.at(31).pass();

    assertThat(priority.at(32).plan(2, "b on n1 0"))
        .containsExactly("preempt low", "start high", "start b");
    assertThat(priority.nodesOf("high")).containsExactly("n0");
    assertThat(priority.nodesOf("b")).containsExactly("n1");
  }

  @Test
  void runningJobsMoveIfItPays() {
    request("a", "b");
    session.at(16).plan(1, "a on n0 0", "b on n1 0");
    session.at(20).submit("c", 4);
    session.at(35).pass();
    Migration pays = new Migration(JobId.of("b"), Session.place("b on n0 1"), 1, 2);

    assertThat(session.plan(2, List.of(pays), "c on n1 0 1 2 3"))
        .containsExactly("migrate b", "start c");
  }

  @Test
  void aMigrationIsSkippedIfItDoesNotPayOrFitOrIsStale() {
    request("a", "b");
    session.at(16).plan(1, "a on n0 0", "b on n1 0");
    session.at(20).submit("c", 4);
    session.at(35).pass();
    session.at(36).finish("a");
    Migration dear = new Migration(JobId.of("b"), Session.place("b on n0 1"), 2, 2);
    Migration gone = new Migration(JobId.of("a"), Session.place("a on n0 2"), 1, 2);

    assertThat(session.plan(2, List.of(dear, gone), "c on n0 0 1 2 3")).containsExactly("start c");
  }

  @Test
  void aWaitingJobSaysThatItIsInAWindow() {
    session.submit("a", 1);
    assertThat(explain("a"))
        .extracting(UnmetConstraint::describe)
        .containsExactly(
            "BATCH_WINDOW (the window, due at 1970-01-01T00:00:15Z): a plan is to decide");
    session.at(15).pass();
    assertThat(explain("a"))
        .extracting(UnmetConstraint::scope)
        .containsExactly("plan 1, due at 1970-01-01T00:00:20Z");
  }

  @Test
  void aJobThatFitsNowhereSaysSoToo() {
    session.submit("a", 8);
    session.submit("b", 2);
    session.at(15).pass();
    session.at(16).plan(1);

    assertThat(explain("b"))
        .extracting(UnmetConstraint::constraint)
        .containsExactly(Constraint.BATCH_WINDOW, Constraint.GPUS);
    assertThat(explain("b").get(0).scope())
        .isEqualTo("the window, due once there is something new to plan");
  }

  @Test
  void aPlanThatWasNeverRightIsRefused() {
    request("a", "b");
    var before = session.scheduler.snapshot();

    refused(
        "a plan must answer one of the requests made, 1 so far, or none and have number 0, but"
            + " answers number 2",
        2);
    refused(
        "a plan must use GPUs of the cluster, but task worker/0 on n0[4] does not, for job 'a'",
        1,
        "a on n0 4");
    refused(
        "a plan must place a job as it asks, but its tasks are not those of the job, each with what"
            + " it requests, for a: [worker/0 on n0[0], worker/1 on n0[1]]",
        1,
        "a on n0 0 1");
    assertThat(session.scheduler.snapshot()).isEqualTo(before);
  }

  @Test
  void aPlanForAJobThatWasRevisedMeanwhileStartsNothing() {
    request("a");
    session.on(
        new ClusterEvent.JobUpdated(Instant.ofEpochSecond(15), Session.aJob("a", 2).build()));

    assertThat(session.at(16).plan(1, "a on n0 0")).isEmpty();
    assertThat(session.waiting()).containsExactly("a");
  }

  @Test
  void aPlanMustNotMoveAJobThatMustNotBeStopped() {
    session.submit(Session.aJob("a", 1).preemptible(false));
    session.at(15).pass();
    session.at(16).plan(1, "a on n0 0");
    session.at(20).submit("b", 1);
    session.at(40).pass();
    Migration move = new Migration(JobId.of("a"), Session.place("a on n1 0"), 1, 2);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> session.plan(2, List.of(move)))
        .withMessage("a plan must not move a job that must not be stopped, but moves 'a'");
  }

  @Test
  void withoutAWindowNoPlanIsEverAwaited() {
    Session immediate = Session.of(Policies.fifo(), 4);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> immediate.plan(1))
        .withMessage(
            "a plan must answer one of the requests made, 0 so far, or none and have number 0, but"
                + " answers number 1");
  }

  @Test
  void aSnapshotIsRestoredInItsOwnMode() {
    LiquidScheduler.Builder immediate =
        LiquidScheduler.builder(Session.cluster(4, 4)).policy(Policies.bestEffortFifo());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> immediate.restore(session.scheduler.snapshot()))
        .withMessage(
            "a snapshot must be restored under its own parameters, but batch.bypassLimit was '0'"
                + " and is not set");
  }

  @Test
  void aWindowIsPossible() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BatchWindow.of(Duration.ofSeconds(-1)))
        .withMessage("the time of a batch window must not be negative, but was PT-1S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WINDOW.maxJobs(0))
        .withMessage("a batch window must hold at least 1 job, but held 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WINDOW.queuedGpuFraction(0))
        .withMessage(
            "the queued GPU fraction that closes a batch window must be positive, but was 0.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WINDOW.planTimeout(Duration.ZERO))
        .withMessage("a plan timeout must be positive, but was PT0S");
  }

  /** Submits jobs of one GPU, and lets the window close. */
  private void request(String... jobs) {
    for (String job : jobs) {
      session.submit(job, 1);
    }
    assertThat(session.at(15).pass()).containsExactly("plan " + List.of(jobs));
  }

  private void refused(String message, long request, String... starts) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> session.plan(request, starts))
        .withMessage(message);
  }

  private List<UnmetConstraint> explain(String job) {
    return session.scheduler.explain(JobId.of(job)).unmetConstraints();
  }

  private static Session session(SchedulingPolicy policy, BatchWindow window, int... gpusOfNodes) {
    return new Session(
        LiquidScheduler.builder(Session.cluster(gpusOfNodes)).policy(policy).batch(window).build());
  }
}
