package io.github.liquidscheduler.reconcile;

import static io.github.liquidscheduler.reconcile.TwoWorlds.A;
import static io.github.liquidscheduler.reconcile.TwoWorlds.B;
import static io.github.liquidscheduler.reconcile.TwoWorlds.JOB;
import static io.github.liquidscheduler.reconcile.TwoWorlds.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.reconcile.ObservedState.Outcome;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.Retry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PassTest {
  private static final ObservedState NOT_YET = new ObservedState.NotYet("depends on 7");
  private static final ObservedState HELD = new ObservedState.Held();
  private static final ObservedState RELEASED = new ObservedState.Released(List.of());
  private static final ObservedState ON_A = new ObservedState.Released(List.of(A));
  private static final ObservedState RUNNING = new ObservedState.Running(NOON);
  private static final ObservedState ENDING = new ObservedState.Ending();
  private static final ObservedState FINISHED = new ObservedState.Ended(Outcome.FINISHED);
  private static final ObservedState FAILED = new ObservedState.Ended(Outcome.FAILED);
  private static final ObservedState NO_MEMORY = new ObservedState.Ended(Outcome.OUT_OF_MEMORY);
  private static final ObservedState CANCELLED = new ObservedState.Ended(Outcome.CANCELLED);

  private final TwoWorlds worlds = new TwoWorlds();

  // Jobs that the scheduler does not know.

  @Test
  void anUnknownJobIsSubmittedOnceItIsHeld() {
    assertThat(worlds.sees(HELD, 0)).containsExactly("JobSubmitted");
  }

  @Test
  void anUnknownJobThatIsNotToStartYetIsNotTold() {
    assertThat(worlds.sees(NOT_YET, 0)).isEmpty();
  }

  @Test
  void anUnknownJobThatTheManagerMayStartIsHeld() {
    assertThat(worlds.sees(RELEASED, 0)).containsExactly("hold");
  }

  @Test
  void anUnknownJobThatIsOverIsNoConcern() {
    assertThat(worlds.sees(FINISHED, 0)).isEmpty();
  }

  @Test
  void anUnknownJobThatRunsIsAdopted() {
    assertThat(worlds.sees(RUNNING, 3, A)).containsExactly("JobAdopted");
    assertThat(worlds.note().hasBegun(3)).isTrue();
  }

  @Test
  void anUnknownJobThatIsEndingStillHoldsWhatItHas() {
    assertThat(worlds.sees(ENDING, 0, A)).containsExactly("JobAdopted");
  }

  @Test
  void aUserIsToldWhatIsNotSupported() {
    worlds.shown.add(
        new ObservedJob(
            JOB,
            Optional.of(NOON),
            0,
            HELD,
            List.of(),
            new ObservedRequest.Unsupported("no federations"),
            true));
    assertThat(worlds.looks()).containsExactly("refuse: no federations");
  }

  @Test
  void aUserIsToldOnce() {
    worlds.notes.put(JOB, worlds.note().tells(new JobNote.Told(0, "no federations", "first")));
    worlds.shown.add(
        new ObservedJob(
            JOB,
            Optional.of(NOON),
            0,
            HELD,
            List.of(),
            new ObservedRequest.Unsupported("no federations"),
            true));
    assertThat(worlds.looks()).isEmpty();
  }

  // Jobs that wait.

  @Test
  void aWaitingJobThatIsHeldIsAsItShouldBe() {
    assertThat(worlds.waiting().sees(HELD, 0)).isEmpty();
  }

  @Test
  void aWaitingJobThatIsNotToStartYetIsHeldBack() {
    assertThat(worlds.waiting().sees(NOT_YET, 0)).containsExactly("JobHeld");
  }

  @Test
  void aReasonIsToldOnce() {
    worlds.waiting().tell(new ClusterEvent.JobHeld(NOON, JOB, "depends on 7"));
    assertThat(worlds.sees(NOT_YET, 0)).isEmpty();
  }

  @Test
  void aJobThatIsHeldBackNoLongerIsReleased() {
    worlds.waiting().tell(new ClusterEvent.JobHeld(NOON, JOB, "depends on 7"));
    assertThat(worlds.sees(HELD, 0)).containsExactly("JobReleased");
  }

  @Test
  void aWaitingJobThatAsksForSomethingElseIsUpdated() {
    worlds.waiting();
    worlds.spec = JobSpec.builder(JOB).gpus(2).build();
    assertThat(worlds.sees(HELD, 0)).containsExactly("JobUpdated");
  }

  @Test
  void aWaitingJobThatTheManagerMayStartIsHeld() {
    assertThat(worlds.waiting().sees(RELEASED, 0)).containsExactly("hold");
  }

  @Test
  void aWaitingJobThatStillRunsUnderAnAttemptOfOursIsStopped() {
    worlds.waiting().begun("1", 2, A);
    assertThat(worlds.sees(RUNNING, 2, A)).containsExactly("stop 2 PT0S");
  }

  @Test
  void aWaitingJobThatSomebodyElseHasStartedIsAdopted() {
    assertThat(worlds.waiting().sees(RUNNING, 0, A)).containsExactly("JobAdopted");
  }

  @Test
  void aWaitingJobThatIsEndingIsLeftAlone() {
    assertThat(worlds.waiting().sees(ENDING, 0, A)).isEmpty();
  }

  @Test
  void aWaitingJobThatIsOverWithoutHavingRunWasCancelled() {
    assertThat(worlds.waiting().sees(FAILED, 0)).containsExactly("JobCancelled");
  }

  // Jobs that are to start.

  @Test
  void aJobThatIsToStartIsStarted() {
    assertThat(worlds.starting().sees(HELD, 0)).containsExactly("start on a");
  }

  @Test
  void aJobThatIsNotToStartYetWasNotStarted() {
    assertThat(worlds.starting().sees(NOT_YET, 0))
        .containsExactly("JobHeld", "JobFailed NOT_STARTED again");
  }

  @Test
  void aJobThatIsPinnedWhereItIsToStartIsWaitedFor() {
    assertThat(worlds.starting().sees(ON_A, 0)).isEmpty();
  }

  @Test
  void aJobThatIsPinnedElsewhereIsHeld() {
    assertThat(worlds.starting().sees(new ObservedState.Released(List.of(B)), 0))
        .containsExactly("hold");
  }

  @Test
  void aJobThatDoesNotStartInTimeIsHeld() {
    worlds.starting();
    worlds.now = NOON.plus(Duration.ofMinutes(10));
    assertThat(worlds.sees(ON_A, 0)).containsExactly("hold");
  }

  @Test
  void aJobThatDidNotStartInTimeAndIsHeldWasNotStarted() {
    worlds.starting();
    worlds.now = NOON.plus(Duration.ofMinutes(10));
    assertThat(worlds.sees(HELD, 0)).containsExactly("JobFailed NOT_STARTED again");
  }

  @Test
  void aJobThatIsToStartElsewhereIsNotUpdatedToStartThereAgain() {
    worlds.spec = JobSpec.builder(JOB).gpus(4).build();
    worlds.starting();
    worlds.tell(
        new ClusterEvent.JobFailed(
            NOON, JOB, Failure.NOT_STARTED, Retry.after(Duration.ofSeconds(30)).avoiding(A)));
    assertThat(worlds.sees(HELD, 0)).isEmpty();
  }

  @Test
  void aJobThatRunsWhereItIsToStartHasStarted() {
    assertThat(worlds.starting().sees(RUNNING, 3, A)).containsExactly("JobStarted");
    assertThat(worlds.note().hasBegun(3)).isTrue();
  }

  @Test
  void aJobThatRunsElsewhereThanItIsToStartIsStopped() {
    assertThat(worlds.starting().sees(RUNNING, 0, B))
        .containsExactly("JobFailed NOT_STARTED again", "stop 0 PT0S");
  }

  @Test
  void aJobThatIsToStartAndIsEndingIsLeftAlone() {
    assertThat(worlds.starting().sees(ENDING, 0, A)).isEmpty();
  }

  @Test
  void aJobThatIsOverBeforeItWasSeenToRunHasEndedSo() {
    assertThat(worlds.starting().sees(FINISHED, 0)).containsExactly("JobFinished");
  }

  // Jobs that run.

  @Test
  void aJobThatRunsWhereItShouldIsAsItShouldBe() {
    assertThat(worlds.running().sees(RUNNING, 0, A)).isEmpty();
  }

  @Test
  void aRunningJobOfAnotherPriorityIsUpdated() {
    worlds.running();
    worlds.spec = worlds.spec.toBuilder().priority(7).build();
    assertThat(worlds.sees(RUNNING, 0, A)).containsExactly("JobUpdated");
  }

  @Test
  void aJobThatRanAndIsNotToStartAgainYetHasFailed() {
    assertThat(worlds.running().sees(NOT_YET, 1))
        .containsExactly("JobHeld", "JobFailed CRASHED again");
  }

  @Test
  void aJobThatTheManagerTookBackIntoItsQueueHasFailed() {
    assertThat(worlds.running().sees(HELD, 1)).containsExactly("JobFailed CRASHED again");
  }

  @Test
  void aJobThatTheManagerForgotIsStartedOnTheSameNodes() {
    worlds.running();
    worlds.epoch = "second";
    assertThat(worlds.sees(HELD, 0)).containsExactly("start on a");
  }

  @Test
  void aForgottenJobThatMayNotRunAgainIsGivenUp() {
    worlds.spec = TwoWorlds.job(JOB, A).preemptible(false).build();
    worlds.running();
    assertThat(worlds.sees(HELD, 0)).containsExactly("give up");
  }

  @Test
  void aJobThatTheManagerTookBackAndMayStartIsHeldToo() {
    assertThat(worlds.running().sees(RELEASED, 1))
        .containsExactly("JobFailed CRASHED again", "hold");
  }

  @Test
  void aForgottenJobThatIsPinnedAgainIsWaitedFor() {
    assertThat(worlds.running().sees(ON_A, 0)).isEmpty();
  }

  @Test
  void aForgottenJobThatIsPinnedAgainIsHeldOnceItsNodeTakesNoTasks() {
    worlds.running();
    worlds.conditions.put(A, NodeCondition.DRAINING);
    assertThat(worlds.sees(ON_A, 0)).contains("hold");
  }

  @Test
  void aForgottenJobThatIsNotStartedAgainInTimeIsGivenUp() {
    worlds.running();
    worlds.isLate = true;
    assertThat(worlds.sees(ON_A, 0)).containsExactly("give up");
  }

  @Test
  void aJobThatRunsWhereNobodySentItIsAdoptedThere() {
    assertThat(worlds.running().sees(RUNNING, 0, B)).containsExactly("JobAdopted");
  }

  @Test
  void aJobThatWasMovedIsStoppedWhereItRan() {
    worlds.running().begun("1", 0, B);
    assertThat(worlds.sees(RUNNING, 0, B)).containsExactly("stop 0 PT0S");
  }

  @Test
  void aJobThatWasMovedGoesOnElsewhere() {
    worlds.running();
    worlds.notes.put(JOB, worlds.note().moves(0));
    assertThat(worlds.sees(HELD, 1)).containsExactly("start on a");
  }

  @Test
  void aRunningJobThatIsEndingHoldsWhatItHas() {
    assertThat(worlds.running().sees(ENDING, 0, A)).isEmpty();
  }

  @Test
  void aRunningJobEndsAsTheManagerSays() {
    assertThat(new TwoWorlds().running().sees(FINISHED, 0)).containsExactly("JobFinished");
    assertThat(new TwoWorlds().running().sees(FAILED, 0)).containsExactly("JobFailed CRASHED");
    assertThat(new TwoWorlds().running().sees(NO_MEMORY, 0))
        .containsExactly("JobFailed OUT_OF_MEMORY");
    assertThat(new TwoWorlds().running().sees(CANCELLED, 0)).containsExactly("JobCancelled");
  }

  @Test
  void anEndIsNotedUnderItsAttempt() {
    worlds.running().sees(FINISHED, 0);
    assertThat(worlds.note().hasEnded(0)).isTrue();
    assertThat(worlds.note().hasEnded(1)).isFalse();
  }

  // Jobs that are being stopped.

  @Test
  void aJobThatIsToStopIsToldHowLongItHas() {
    assertThat(worlds.stopping().sees(RUNNING, 0, A)).containsExactly("stop 0 PT1M");
  }

  @Test
  void aJobThatWasToldToStopIsWaitedFor() {
    worlds.stopping().isStopped = true;
    assertThat(worlds.sees(RUNNING, 0, A)).isEmpty();
  }

  @Test
  void aJobThatStillRunsAtTheEndOfItsGraceIsStoppedAgain() {
    worlds.stopping().isStopped = true;
    worlds.now = worlds.now.plus(Duration.ofMinutes(1));
    assertThat(worlds.sees(RUNNING, 0, A)).containsExactly("stop 0 PT0S");
  }

  @Test
  void aJobThatIsHeldAgainHasStopped() {
    assertThat(worlds.stopping().sees(HELD, 1)).containsExactly("JobStopped");
  }

  @Test
  void aJobThatHasStoppedAndIsNotToStartYetIsHeldBackFirst() {
    assertThat(worlds.stopping().sees(NOT_YET, 1)).containsExactly("JobHeld", "JobStopped");
  }

  @Test
  void aJobThatStoppedAndTheManagerMayStartIsHeld() {
    assertThat(worlds.stopping().sees(RELEASED, 1)).containsExactly("hold");
  }

  @Test
  void anEndThatCrossesTheStopCounts() {
    assertThat(worlds.stopping().sees(FINISHED, 0)).containsExactly("JobFinished");
  }

  @Test
  void aJobThatIsCancelledWhileItStopsHasStoppedToo() {
    assertThat(worlds.stopping().sees(CANCELLED, 0)).containsExactly("JobStopped", "JobCancelled");
  }

  // Jobs that are over.

  @Test
  void anEndThatTheManagerForgotIsNotRunAgain() {
    assertThat(worlds.ended().sees(HELD, 0)).containsExactly("give up");
  }

  @Test
  void anEndOfAnAttemptThatTheManagerForgotIsNotForgottenWithTheEndOfTheOneBefore() {
    worlds.ended();
    worlds.notes.put(JOB, worlds.note().ends(new JobNote.Ended(1, Outcome.CANCELLED)));
    assertThat(worlds.sees(RUNNING, 0, A)).containsExactly("JobAdopted 1#0");
    worlds.tell(
        new ClusterEvent.JobAdopted(
            NOON, worlds.spec.withId(JobId.of("1#0")), List.of(A), NOON, true));
    worlds.shown.clear();
    assertThat(worlds.sees(RUNNING, 0, A)).containsExactly("JobCancelled 1#0");
    worlds.tell(new ClusterEvent.JobCancelled(NOON, JobId.of("1#0")));
    worlds.shown.clear();
    assertThat(worlds.sees(HELD, 1)).containsExactly("give up");
  }

  @Test
  void anEndThatIsShownOfAnEarlierAttemptEndsTheLastOneToo() {
    worlds.running().begun("1", 1, A);
    assertThat(worlds.sees(FINISHED, 0)).containsExactly("JobFinished");
    assertThat(worlds.note().hasEnded(1)).isTrue();
  }

  @Test
  void aLaterAttemptOfAnEndedJobIsAnotherJob() {
    assertThat(worlds.ended().sees(HELD, 1)).containsExactly("JobSubmitted 1#1");
    assertThat(worlds.note().own().value()).isEqualTo("1#1");
  }

  @Test
  void aLaterAttemptThatTheManagerForgotIsAnotherJobAgainWhenItComesAgain() {
    worlds.ended().sees(HELD, 1);
    worlds.submit(worlds.spec.withId(JobId.of("1#1")));
    worlds.shown.clear();
    assertThat(worlds.sees(FINISHED, 0)).containsExactly("JobFinished 1#1");
    worlds.tell(new ClusterEvent.JobFinished(NOON, JobId.of("1#1")));
    worlds.shown.clear();
    assertThat(worlds.sees(HELD, 1)).containsExactly("JobSubmitted 1#1.2");
    assertThat(worlds.note().own().value()).isEqualTo("1#1.2");
    assertThat(worlds.note().isOver()).isFalse();
  }

  @Test
  void anEndedAttemptIsNotStartedWhereALaterOneWasToStartThatTheManagerForgot() {
    worlds.ended().sees(HELD, 1);
    worlds.submit(worlds.spec.withId(JobId.of("1#1")));
    worlds.shown.clear();
    assertThat(worlds.sees(HELD, 0)).containsExactly("give up");
  }

  @Test
  void anEndedJobThatRunsIsAdoptedAsAnother() {
    assertThat(worlds.ended().sees(RUNNING, 1, A)).containsExactly("JobAdopted 1#1");
  }

  @Test
  void anEndedJobThatTheManagerMayStartIsHeldFirst() {
    assertThat(worlds.ended().sees(RELEASED, 0)).containsExactly("hold");
  }

  @Test
  void aRejectedJobIsRefusedWithAWordToItsUser() {
    worlds.rejected();
    worlds.refusals.put(JOB, new Sight.Refusal(Optional.empty(), "too large"));
    assertThat(worlds.sees(HELD, 0)).containsExactly("refuse: too large");
  }

  @Test
  void anEndThatWasNotedAndNotToldIsTold() {
    worlds.running();
    worlds.notes.put(JOB, worlds.note().ends(new JobNote.Ended(0, Outcome.FAILED)));
    assertThat(worlds.sees(HELD, 0)).containsExactly("JobFailed CRASHED");
  }

  // Jobs that the manager does not show.

  @Test
  void anAbsentJobIsLookedFor() {
    worlds.running();
    Differences found = worlds.compare();
    assertThat(found.events()).isEmpty();
    assertThat(found.missing()).containsExactly(JOB);
  }

  @Test
  void anAbsentJobThatIsKnownWhereItIsLookedForEndsAsThatSays() {
    worlds.running();
    worlds.answers.put(
        JOB,
        new ObservedJob(
            JOB,
            Optional.of(NOON),
            0,
            FAILED,
            List.of(),
            new ObservedRequest.Understood(worlds.spec, List.of()),
            true));
    assertThat(worlds.looks()).containsExactly("JobFailed CRASHED");
  }

  @Test
  void aJobThatIsAbsentForLongHasEnded() {
    worlds.running().gone.add(JOB);
    assertThat(worlds.looks()).containsExactly("JobFinished");
  }

  @Test
  void aWaitingJobThatIsAbsentForLongWasCancelled() {
    worlds.waiting().gone.add(JOB);
    assertThat(worlds.looks()).containsExactly("JobCancelled");
  }

  @Test
  void aStartedJobThatIsAbsentForLongHasFailed() {
    worlds.starting().gone.add(JOB);
    assertThat(worlds.looks()).containsExactly("JobFailed NOT_STARTED");
  }

  // Ids that are given again.

  @Test
  void anotherJobUnderTheSameIdIsAnotherJob() {
    worlds.running();
    worlds.notes.put(JOB, worlds.note().of(observed()));
    worlds.submitted = NOON.plusSeconds(1);
    assertThat(worlds.sees(HELD, 0)).isEmpty();
    assertThat(worlds.looks())
        .containsExactly("JobFailed CRASHED", "JobSubmitted 1@2026-01-01T12:00:01Z");
  }

  private ObservedJob observed() {
    return new ObservedJob(
        JOB,
        Optional.of(NOON),
        0,
        HELD,
        List.of(),
        new ObservedRequest.Understood(worlds.spec, List.of()),
        true);
  }

  @Test
  void aJobIsNotStartedOnANodeThatTakesNone() {
    worlds.starting();
    worlds.conditions.put(A, NodeCondition.DRAINING);
    assertThat(worlds.sees(ON_A, 0)).containsExactly("NodeDraining a", "hold");
    worlds.shown.clear();
    assertThat(worlds.sees(HELD, 0))
        .containsExactly("JobFailed NOT_STARTED again", "NodeDraining a");
  }

  // Rules.

  @Test
  void aJobAboutWhichACommandIsOnItsWayIsLeftAlone() {
    worlds.starting().young.add(JOB);
    assertThat(worlds.sees(HELD, 0)).isEmpty();
  }

  @Test
  void aJobThatMayRunOnForgottenNodesIsNotStartedElsewhere() {
    worlds.starting().begun("1", 0, B);
    worlds.epoch = "second";
    assertThat(worlds.sees(HELD, 0)).containsExactly("give up");
  }

  @Test
  void aJobThatMayRunOnForgottenNodesIsNotGivenUpBeforeTheseAreKnown() {
    worlds.starting().begun("1", 0, B);
    worlds.epoch = "second";
    worlds.conditions.put(B, NodeCondition.SUSPECT);
    assertThat(worlds.sees(HELD, 0)).containsExactly("NodeDraining b");
  }

  @Test
  void aManagerThatHasForgottenNothingKnowsThatAStartDidNotHappen() {
    worlds.starting().begun("1", 0, B);
    assertThat(worlds.sees(HELD, 0)).containsExactly("start on a");
  }

  @Test
  void aJobThatWasToStartElsewhereWaitsUntilTheManagerCannotForgetItsHold() {
    worlds.starting().begun("1", 0, B);
    worlds.isHoldSaved = false;
    assertThat(worlds.sees(HELD, 0)).isEmpty();
  }

  @Test
  void aJobThatHasRunElsewhereWaitsSoToo() {
    worlds.starting().begun("1", 0, B);
    worlds.isHoldSaved = false;
    assertThat(worlds.sees(HELD, 1)).isEmpty();
  }

  @Test
  void aStartThatMayHaveGotLostIsSentAgainAtOnce() {
    worlds.starting().begun("1", 0, A);
    worlds.isHoldSaved = false;
    assertThat(worlds.sees(HELD, 0)).containsExactly("start on a");
  }

  @Test
  void nothingStartsWhereAStartThatWasGivenUpMayStillCome() {
    worlds.starting().begun("2", 0, A);
    worlds.isHoldSaved = false;
    worlds.shown.add(held("2"));
    assertThat(worlds.sees(HELD, 0)).doesNotContain("start on a");
  }

  @Test
  void aStartThatWasGivenUpAndCannotComeAnyMoreLeavesItsRoomToOthers() {
    worlds.starting().begun("2", 0, A);
    worlds.shown.add(held("2"));
    assertThat(worlds.sees(HELD, 0)).contains("start on a");
  }

  private static ObservedJob held(String job) {
    return new ObservedJob(
        JobId.of(job),
        Optional.of(NOON),
        0,
        HELD,
        List.of(),
        new ObservedRequest.Understood(JobSpec.builder(job).gpus(1).build(), List.of()),
        true);
  }

  @Test
  void aJobStartsWhereTheManagerKnowsTheNodesWhateverItKnowsOfOthers() {
    worlds.starting();
    worlds.conditions.put(B, NodeCondition.SUSPECT);
    assertThat(worlds.sees(HELD, 0)).contains("start on a");
  }

  @Test
  void aForgottenJobWaitsUntilTheManagerKnowsWhatRunsWhereItBegan() {
    worlds.running();
    worlds.epoch = "second";
    worlds.conditions.put(A, NodeCondition.SUSPECT);
    assertThat(worlds.sees(HELD, 0)).doesNotContain("start on a", "give up");
  }

  @Test
  void aForgottenJobIsGivenUpWhereItsNodeTakesNoTasksAnyMore() {
    worlds.running();
    worlds.epoch = "second";
    worlds.conditions.put(A, NodeCondition.DRAINING);
    assertThat(worlds.sees(HELD, 0)).contains("give up");
  }

  @Test
  void aJobThatCameBackUnderItsAttemptStartsElsewhereIfItsNodeTakesNoTasks() {
    worlds.running();
    worlds.conditions.put(A, NodeCondition.DRAINING);
    assertThat(worlds.sees(HELD, 0)).contains("JobFailed CRASHED again").doesNotContain("give up");
  }

  @Test
  void nothingStartsWhereTheManagerShowsNoRoom() {
    worlds.starting();
    worlds.shown.add(
        new ObservedJob(
            JobId.of("2"),
            Optional.of(NOON),
            0,
            ENDING,
            List.of(A),
            new ObservedRequest.Understood(JobSpec.builder("2").gpus(1).build(), List.of()),
            false));
    assertThat(worlds.sees(HELD, 0)).doesNotContain("start on a");
  }

  @Test
  void nothingStartsWhereAJobMayRunThatIsNotShown() {
    worlds.stopping();
    worlds.now = worlds.now.plus(Duration.ofMinutes(1));
    worlds.tell(new ClusterEvent.TimePassed(worlds.now));
    worlds.shown.add(held("big"));
    assertThat(worlds.compare().missing()).containsExactly(JOB);
    assertThat(worlds.compare().commands()).isEmpty();
    worlds.tell(new ClusterEvent.JobCancelled(worlds.now, JOB));
    assertThat(worlds.compare().commands()).hasSize(1);
  }

  @Test
  void aNodeThatDoesNotAnswerIsDrainingAndNotLost() {
    worlds.conditions.put(A, NodeCondition.SUSPECT);
    assertThat(worlds.running().sees(RUNNING, 0, A)).containsExactly("NodeDraining a");
  }

  @Test
  void aNodeThatIsGivenUpIsLostAfterTheEndsThere() {
    worlds.conditions.put(A, NodeCondition.DOWN);
    assertThat(worlds.running().sees(HELD, 1))
        .containsExactly("JobFailed CRASHED again", "NodeLost a");
  }

  @Test
  void aNodeIsNotLostWhileAJobIsShownThere() {
    worlds.conditions.put(A, NodeCondition.DOWN);
    assertThat(worlds.running().sees(RUNNING, 0, A)).containsExactly("NodeDraining a");
  }

  @Test
  void aNodeThatIsBackReturns() {
    worlds.tell(new ClusterEvent.NodeLost(NOON, A));
    assertThat(worlds.looks()).containsExactly("NodeReturned a");
  }

  @Test
  void aNewNodeIsAddedAndOneThatIsMissingRetired() {
    worlds.conditions.remove(B);
    worlds.conditions.put(NodeId.of("c"), NodeCondition.DRAINING);
    assertThat(worlds.looks())
        .containsExactly("NodeAdded c", "NodeDraining c", "NodeLost b", "NodeRetired b");
  }

  @Test
  void aJobThatIsNotOwnedIsNeverCommanded() {
    worlds.isOwned = false;
    assertThat(worlds.sees(RELEASED, 0)).isEmpty();
  }

  @Test
  void aJobThatIsNotOwnedIsToldOnceItRuns() {
    worlds.isOwned = false;
    assertThat(worlds.sees(RUNNING, 0, A)).containsExactly("JobAdopted");
    worlds.shown.clear();
    worlds.tell(new ClusterEvent.JobAdopted(NOON, worlds.spec, List.of(A), NOON, false));
    assertThat(worlds.sees(RUNNING, 0, A)).isEmpty();
  }

  @Test
  void aJobThatIsNotOwnedIsOverOnceItRunsNoLonger() {
    worlds.isOwned = false;
    worlds.tell(new ClusterEvent.JobAdopted(NOON, worlds.spec, List.of(A), NOON, false));
    assertThat(worlds.sees(HELD, 1)).containsExactly("JobCancelled");
  }

  @Test
  void aJobThatIsNotOwnedEndsAsTheManagerSays() {
    worlds.isOwned = false;
    worlds.tell(new ClusterEvent.JobAdopted(NOON, worlds.spec, List.of(A), NOON, false));
    assertThat(worlds.sees(FINISHED, 0)).containsExactly("JobFinished");
  }
}
