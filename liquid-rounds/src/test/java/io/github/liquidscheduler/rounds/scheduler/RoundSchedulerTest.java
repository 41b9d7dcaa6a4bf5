package io.github.liquidscheduler.rounds.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Synchronization;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.rounds.ComputeTimes;
import io.github.liquidscheduler.rounds.GpuSequencePlan;
import io.github.liquidscheduler.rounds.RoundDecision;
import io.github.liquidscheduler.rounds.RoundEvent;
import io.github.liquidscheduler.rounds.RoundProgress;
import io.github.liquidscheduler.rounds.RoundTask;
import io.github.liquidscheduler.rounds.TaskRun;
import io.github.liquidscheduler.scheduling.StaleEventException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RoundSchedulerTest {

  private static final GpuModel V100 = GpuModel.of("V100");
  private static final GpuModel K80 = GpuModel.of("K80");
  private static final GpuId FAST = GpuId.of("a", 0);
  private static final GpuId SLOW = GpuId.of("b", 0);

  private final RoundScheduler scheduler =
      RoundScheduler.builder(RoundPolicy.hlas(60, 400)).relativeSpeed(V100, 6).build();

  private static Instant at(double seconds) {
    return Instant.EPOCH.plusNanos(Math.round(seconds * 1e9));
  }

  private static JobSpec job(String id, int scale, int rounds) {
    return JobSpec.builder(id)
        .gpus(scale)
        .synchronization(new Synchronization.RelaxedRounds(scale, rounds))
        .build();
  }

  private static RoundEvent.JobSubmitted submission(double at, JobSpec job) {
    return new RoundEvent.JobSubmitted(at(at), job, ComputeTimes.UNKNOWN);
  }

  private static RoundTask task(String job, int round, int index) {
    return new RoundTask(JobId.of(job), round, index);
  }

  private static TaskRun run(RoundDecision decision) {
    return ((RoundDecision.RunTask) decision).run();
  }

  private void add(double at, GpuId gpu, GpuModel model) {
    scheduler.on(new RoundEvent.GpuAdded(at(at), gpu, model));
  }

  @Test
  void tasksOfARoundRunOneAfterAnotherOnOneGpuWhileTheFirstSynchronizes() {
    add(0, FAST, V100);
    TaskRun first = run(scheduler.on(submission(0, job("j", 2, 2))).getFirst());

    TaskRun second = run(scheduler.on(new RoundEvent.TaskComputed(at(1), first)).getFirst());

    assertThat(second).isEqualTo(new TaskRun(task("j", 0, 1), FAST, 2));
    assertThat(scheduler.progress(JobId.of("j"))).contains(new RoundProgress(0, 0, 2, 0));
  }

  @Test
  void theNextRoundBeginsWhenAllTasksHaveSynchronized() {
    add(0, FAST, V100);
    add(0, SLOW, K80);
    List<RoundDecision> started = scheduler.on(submission(0, job("j", 2, 2)));

    assertThat(scheduler.on(new RoundEvent.TaskSynchronized(at(1), run(started.get(0))))).isEmpty();
    assertThat(scheduler.on(new RoundEvent.TaskSynchronized(at(3), run(started.get(1)))))
        .extracting(RoundSchedulerTest::run)
        .extracting(TaskRun::task)
        .containsExactly(task("j", 1, 0), task("j", 1, 1));
  }

  @Test
  void aJobIsCompleteWhenItsLastRoundIs() {
    add(0, FAST, V100);
    TaskRun only = run(scheduler.on(submission(0, job("j", 1, 1))).getFirst());

    assertThat(scheduler.on(new RoundEvent.TaskSynchronized(at(1), only)))
        .containsExactly(new RoundDecision.Complete(JobId.of("j")));
    assertThat(scheduler.jobs()).isEmpty();
  }

  @Test
  void aTaskOnALostNodeRunsAgainAndIsCounted() {
    add(0, FAST, V100);
    TaskRun lost = run(scheduler.on(submission(0, job("j", 1, 1))).getFirst());
    scheduler.on(new RoundEvent.NodeLost(at(1), NodeId.of("a")));

    TaskRun again = run(scheduler.on(new RoundEvent.GpuAdded(at(2), SLOW, K80)).getFirst());

    assertThat(again).isEqualTo(new TaskRun(lost.task(), SLOW, 2));
    assertThat(scheduler.progress(JobId.of("j"))).contains(new RoundProgress(0, 0, 1, 1));
    assertThatThrownBy(() -> scheduler.on(new RoundEvent.TaskComputed(at(2), lost)))
        .isInstanceOf(StaleEventException.class)
        .hasMessage("a run must be under way to be reported, but is over: j/0/0 on a:0, run 1");
  }

  @Test
  void theTasksOfACancelledJobAreStoppedAndAnotherJobRuns() {
    add(0, FAST, V100);
    TaskRun run = run(scheduler.on(submission(0, job("j", 1, 2))).getFirst());
    scheduler.on(submission(0, job("k", 1, 1)));

    List<RoundDecision> decisions = scheduler.on(new RoundEvent.JobCancelled(at(1), JobId.of("j")));

    assertThat(decisions.getFirst())
        .isEqualTo(new RoundDecision.StopTask(run, RoundDecision.StopCause.CANCELLED));
    assertThat(run(decisions.getLast()).task()).isEqualTo(task("k", 0, 0));
    assertThatThrownBy(() -> scheduler.on(new RoundEvent.JobCancelled(at(1), JobId.of("j"))))
        .isInstanceOf(StaleEventException.class)
        .hasMessage("a job of rounds must be there, but 'j' is over, or was never");
  }

  @Test
  void whatAnEarlierEventOfTheInstantHasEndedIsLeftOut() {
    add(0, FAST, V100);
    add(0, SLOW, K80);
    List<RoundDecision> started = scheduler.on(submission(0, job("j", 2, 1)));
    scheduler.on(
        List.of(
            new RoundEvent.GpuLost(at(1), FAST),
            new RoundEvent.TaskSynchronized(at(1), run(started.get(0))),
            new RoundEvent.TaskSynchronized(at(1), run(started.get(1)))));

    assertThat(scheduler.progress(JobId.of("j"))).contains(new RoundProgress(0, 1, 1, 1));
  }

  @Test
  void aGpuAskedBackIsGivenBackWhenItsTaskHasSynchronized() {
    add(0, FAST, V100);
    TaskRun run = run(scheduler.on(submission(0, job("j", 1, 2))).getFirst());

    assertThat(scheduler.on(new RoundEvent.GpuAskedBack(at(1), FAST, at(10)))).isEmpty();
    assertThat(scheduler.nextWakeUp()).contains(at(10));
    assertThat(scheduler.on(new RoundEvent.TaskComputed(at(2), run))).isEmpty();
    assertThat(scheduler.on(new RoundEvent.TaskSynchronized(at(3), run)))
        .containsExactly(new RoundDecision.GiveBack(FAST));
    assertThat(scheduler.gpus()).isEmpty();
  }

  @Test
  void whatRunsOnAGpuWhenItsTimeIsUpIsStoppedAndRunsElsewhere() {
    add(0, FAST, V100);
    TaskRun run = run(scheduler.on(submission(0, job("j", 1, 2))).getFirst());
    scheduler.on(new RoundEvent.GpuAskedBack(at(1), FAST, at(10)));
    add(2, SLOW, K80);

    assertThat(scheduler.on(new RoundEvent.TimePassed(at(10))))
        .startsWith(
            new RoundDecision.StopTask(run, RoundDecision.StopCause.ASKED_BACK),
            new RoundDecision.GiveBack(FAST))
        .last()
        .extracting(RoundSchedulerTest::run)
        .isEqualTo(new TaskRun(run.task(), SLOW, 2));
  }

  @Test
  void aGpuOfWhichNothingIsKnownIsJudgedByTheFirstTaskAndTheModelsSpeeds() {
    add(0, SLOW, K80);
    TaskRun first = run(scheduler.on(submission(0, job("j", 1, 3))).getFirst());
    add(1, FAST, V100);
    RoundDecision next = scheduler.on(new RoundEvent.TaskSynchronized(at(60), first)).getFirst();

    assertThat(next)
        .isEqualTo(
            new RoundDecision.RunTask(
                new TaskRun(task("j", 1, 0), FAST, 2), new RoundDecision.Why.Ranked("hlas", 0, 1)));
  }

  @Test
  void aPlanFixesTheOrderAndWhatDoesNotFitIsLeftToThePolicy() {
    add(0, FAST, V100);
    add(0, SLOW, K80);
    TaskRun first = run(scheduler.on(submission(0, job("j", 1, 2))).getFirst());
    scheduler.on(
        new RoundEvent.PlanProposed(
            at(0),
            new GpuSequencePlan(
                Map.of(SLOW, List.of(task("gone", 0, 0), task("j", 0, 0), task("j", 1, 0))))));

    assertThat(scheduler.on(new RoundEvent.TaskSynchronized(at(1), first)))
        .containsExactly(
            new RoundDecision.RunTask(
                new TaskRun(task("j", 1, 0), SLOW, 2), new RoundDecision.Why.Planned()));
  }

  @Test
  void tasksThatWaitForEachOtherInAPlanAreLeftToThePolicy() {
    add(0, FAST, V100);
    scheduler.on(submission(0, job("busy", 1, 1)));
    scheduler.on(submission(0, job("one", 1, 2)));
    scheduler.on(submission(0, job("two", 1, 2)));
    scheduler.on(
        new RoundEvent.PlanProposed(
            at(0),
            new GpuSequencePlan(Map.of(FAST, List.of(task("one", 1, 0), task("two", 0, 0))))));

    assertThat(
            scheduler.on(
                new RoundEvent.TaskSynchronized(at(1), new TaskRun(task("busy", 0, 0), FAST, 1))))
        .contains(
            new RoundDecision.RunTask(
                new TaskRun(task("one", 0, 0), FAST, 2),
                new RoundDecision.Why.Ranked("hlas", 0, 1)));
  }

  @Test
  void whatCannotBeIsRefusedAndChangesNothing() {
    add(0, FAST, V100);
    scheduler.on(submission(5, job("j", 1, 1)));
    var before = scheduler.snapshot();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> scheduler.on(submission(6, JobSpec.builder("gang").gpus(2).build())))
        .withMessage(
            "a job of a round pool must synchronize in relaxed rounds, but is a gang, for job"
                + " 'gang'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> scheduler.on(submission(6, job("j", 1, 1))))
        .withMessage("a job must be submitted once, but 'j' is there already");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                scheduler.on(List.of(submission(6, job("k", 1, 1)), submission(6, job("k", 1, 1)))))
        .withMessage("a job must be submitted once, but 'k' is there already");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> scheduler.on(submission(4, job("early", 1, 1))))
        .withMessageStartingWith("events must come in the order of their times");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> scheduler.on(new RoundEvent.GpuLost(at(6), SLOW)))
        .withMessage("the pool must have the GPU, but has no b:0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> add(6, FAST, V100))
        .withMessage("a GPU must be added once, under one model, but a:0 is there already");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                scheduler.on(
                    new RoundEvent.TaskComputed(at(6), new TaskRun(task("j", 0, 0), SLOW, 1))))
        .withMessage(
            "a report must name a run as it was decided, but there was no j/0/0 on b:0, run 1");
    assertThat(scheduler.snapshot()).isEqualTo(before);
  }

  @Test
  void aSnapshotIsRestoredUnderItsOwnPolicyOnly() {
    add(0, FAST, V100);

    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                RoundScheduler.builder(RoundPolicy.leastAttainedService())
                    .restore(scheduler.snapshot()))
        .withMessageContaining("the same parameters, {policy=las}");
  }

  @Test
  void thresholdsThatDoNotAscendAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RoundPolicy.hlas(60, 60))
        .withMessage("thresholds must be finite and ascend from above 0, but were [60.0, 60.0]");
  }

  private static RoundEvent.JobSubmitted known(String id, int scale, double fast, double slow) {
    ComputeTimes times = new ComputeTimes(Map.of(V100, fast, K80, slow));
    return new RoundEvent.JobSubmitted(at(0), job(id, scale, 5), times);
  }

  @Test
  void scaleFreeHlasLeavesAFastGpuToTheJobThatGainsMostByIt() {
    RoundScheduler scaleFree = RoundScheduler.builder(RoundPolicy.scaleFreeHlas()).build();
    scaleFree.on(new RoundEvent.GpuAdded(at(0), FAST, V100));
    scaleFree.on(new RoundEvent.GpuAdded(at(0), SLOW, K80));

    var decisions = scaleFree.on(List.of(known("little", 1, 10, 12), known("much", 1, 8, 40)));

    assertThat(decisions)
        .extracting(RoundSchedulerTest::run)
        .containsExactly(
            new TaskRun(task("much", 0, 0), FAST, 1), new TaskRun(task("little", 0, 0), SLOW, 2));
  }

  @Test
  void scaleFreeHlasBeginsWithTheJobOfShortRounds() {
    RoundScheduler scaleFree = RoundScheduler.builder(RoundPolicy.scaleFreeHlas()).build();
    scaleFree.on(new RoundEvent.GpuAdded(at(0), FAST, V100));

    var decisions = scaleFree.on(List.of(known("long", 8, 50, 80), known("short", 1, 5, 8)));

    assertThat(run(decisions.getFirst()).task()).isEqualTo(task("short", 0, 0));
  }
}
