package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static io.github.liquidscheduler.scheduler.Session.cluster;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Synchronization;
import io.github.liquidscheduler.rounds.RoundDecision;
import io.github.liquidscheduler.rounds.RoundEvent;
import io.github.liquidscheduler.rounds.RoundProgress;
import io.github.liquidscheduler.rounds.TaskRun;
import io.github.liquidscheduler.rounds.scheduler.PooledScheduler;
import io.github.liquidscheduler.rounds.scheduler.PooledScheduler.Step;
import io.github.liquidscheduler.rounds.scheduler.RoundPolicy;
import io.github.liquidscheduler.rounds.scheduler.RoundScheduler;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.StaleEventException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PooledSchedulerTest {

  private static final JobId TRAIN = JobId.of("train");

  private static Instant at(long second) {
    return Instant.ofEpochSecond(second);
  }

  private static JobSpec.Builder ofRounds(String id, int tasks, int rounds) {
    return aJob(id, tasks).synchronization(new Synchronization.RelaxedRounds(tasks, rounds));
  }

  private static PooledScheduler around(LiquidScheduler.Builder cluster) {
    RoundScheduler.Builder tasks = RoundScheduler.builder(RoundPolicy.leastAttainedService());
    return PooledScheduler.around(cluster.build(), tasks, Duration.ofSeconds(15));
  }

  private static PooledScheduler onOneNode(int gpus) {
    return around(LiquidScheduler.builder(cluster(gpus)).policy(Policies.priority()));
  }

  private static PooledScheduler elastic(int gpus, Duration grace) {
    return around(
        LiquidScheduler.builder(cluster(gpus))
            .policy(Policies.priority())
            .preemption(PreemptionRules.NONE.gracePeriod(grace))
            .elasticity(
                Elasticity.by(SizingPolicy.marginalGain())
                    .worthwhile(0)
                    .cost(ResizeCost.NONE)
                    .build()));
  }

  private static List<Step> submit(PooledScheduler scheduler, long second, JobSpec.Builder job) {
    return scheduler.on(new ClusterEvent.JobSubmitted(at(second), job.build()));
  }

  private static List<TaskRun> begun(List<Step> steps) {
    return tasks(steps)
        .filter(RoundDecision.RunTask.class::isInstance)
        .map(decision -> ((RoundDecision.RunTask) decision).run())
        .toList();
  }

  private static Stream<RoundDecision> tasks(List<Step> steps) {
    return steps.stream()
        .filter(Step.Task.class::isInstance)
        .map(step -> ((Step.Task) step).decision());
  }

  private static List<Step> done(PooledScheduler scheduler, long second, TaskRun run) {
    return scheduler.on(List.of(new RoundEvent.TaskSynchronized(at(second), run)));
  }

  private static List<Class<?>> kinds(List<Step> steps) {
    return steps.stream()
        .<Class<?>>map(
            step ->
                switch (step) {
                  case Step.Cluster cluster -> cluster.decision().getClass();
                  case Step.Pool pool -> pool.decision().getClass();
                  case Step.Report report -> report.event().getClass();
                  case Step.Task task -> task.decision().getClass();
                })
        .toList();
  }

  @Test
  void aJobOfRoundsRunsTaskByTaskOnWhatOthersLeave() {
    PooledScheduler scheduler = onOneNode(3);
    submit(scheduler, 0, aJob("other", 2));

    List<Step> steps = submit(scheduler, 1, ofRounds("train", 2, 1));

    assertThat(begun(steps)).hasSize(1);
    assertThat(begun(done(scheduler, 5, begun(steps).getFirst()))).hasSize(1);
    assertThat(scheduler.progress(TRAIN)).contains(new RoundProgress(0, 1, 1, 0));
  }

  @Test
  void aJobOfRoundsThatIsDoneLeavesItsGpusToOthers() {
    PooledScheduler scheduler = onOneNode(1);
    TaskRun run = begun(submit(scheduler, 0, ofRounds("train", 1, 1))).getFirst();
    submit(scheduler, 1, aJob("other", 1));

    assertThat(kinds(done(scheduler, 9, run)))
        .containsExactly(
            RoundDecision.Complete.class,
            RoundDecision.GiveBack.class,
            ClusterEvent.JobFinished.class,
            Decision.Start.class);
    assertThat(scheduler.gpus(TRAIN)).isEmpty();
    assertThat(scheduler.status(TRAIN)).contains(new JobStatus.Ended(JobStatus.Outcome.FINISHED));
  }

  @Test
  void aPoolBeginsAtOnceAlsoWhereStartsAreReported() {
    PooledScheduler scheduler =
        around(LiquidScheduler.builder(cluster(1)).policy(Policies.fifo()).startsReported());

    assertThat(kinds(submit(scheduler, 0, ofRounds("train", 1, 1))))
        .containsExactly(
            Decision.Start.class, RoundDecision.RunTask.class, ClusterEvent.JobStarted.class);
    assertThat(scheduler.status(TRAIN).orElseThrow()).isInstanceOf(JobStatus.Running.class);
  }

  @Test
  void aPoolGrowsWhenOthersEnd() {
    PooledScheduler scheduler = elastic(2, Duration.ZERO);
    submit(scheduler, 0, aJob("other", 1));
    submit(scheduler, 1, ofRounds("train", 2, 1));

    List<Step> steps = scheduler.on(new ClusterEvent.JobFinished(at(400), JobId.of("other")));

    assertThat(kinds(steps))
        .containsExactly(
            Decision.Resize.class, RoundDecision.RunTask.class, ClusterEvent.ResizeReported.class);
    assertThat(scheduler.gpus(TRAIN)).hasSize(2);
  }

  @Test
  void tasksMayBeDoneBeforeAnUrgentJobTakesTheirGpus() {
    PooledScheduler scheduler = elastic(1, Duration.ofSeconds(60));
    TaskRun run = begun(submit(scheduler, 0, ofRounds("train", 1, 2))).getFirst();

    assertThat(kinds(submit(scheduler, 10, aJob("urgent", 1).priority(5))))
        .containsExactly(Decision.Preempt.class, Decision.Start.class);
    assertThat(scheduler.nextWakeUp()).contains(at(70));
    assertThat(kinds(done(scheduler, 20, run)))
        .containsExactly(RoundDecision.GiveBack.class, ClusterEvent.JobStopped.class);
    assertThat(scheduler.status(JobId.of("urgent")).orElseThrow())
        .isInstanceOf(JobStatus.Running.class);
  }

  @Test
  void tasksThatAreNotDoneInTimeAreStopped() {
    PooledScheduler scheduler = elastic(1, Duration.ofSeconds(60));
    submit(scheduler, 0, ofRounds("train", 1, 2));
    submit(scheduler, 10, aJob("urgent", 1).priority(5));

    assertThat(kinds(scheduler.on(new ClusterEvent.TimePassed(at(70)))))
        .containsExactly(RoundDecision.StopTask.class, RoundDecision.GiveBack.class);
  }

  @Test
  void tasksGoOnWhereTheirPoolKeepsItsGpus() {
    PooledScheduler scheduler =
        around(LiquidScheduler.builder(cluster(1, 1, 1)).policy(Policies.fifo()));
    submit(scheduler, 0, ofRounds("train", 2, 1));

    List<Step> steps = scheduler.on(new ClusterEvent.NodeLost(at(5), NodeId.of("n0")));

    assertThat(begun(steps)).extracting(TaskRun::gpu).containsExactly(GpuId.of("n2", 0));
    assertThat(tasks(steps)).noneMatch(RoundDecision.StopTask.class::isInstance);
  }

  @Test
  void jobsOfOneQueueShareTheirGpus() {
    PooledScheduler scheduler = onOneNode(2);
    submit(scheduler, 0, aJob("other", 1));
    TaskRun first = begun(submit(scheduler, 1, ofRounds("train", 1, 2))).getFirst();
    submit(scheduler, 2, ofRounds("later", 1, 2));

    assertThat(begun(done(scheduler, 5, first)))
        .extracting(run -> run.task().job())
        .containsExactly(JobId.of("later"));
  }

  @Test
  void jobsWhoseTasksNeedOtherGpusShareNone() {
    PooledScheduler scheduler = onOneNode(2);
    submit(scheduler, 0, aJob("other", 1));
    TaskRun first = begun(submit(scheduler, 1, ofRounds("train", 1, 2))).getFirst();
    submit(scheduler, 2, ofRounds("elsewhere", 1, 2).nodeLabel("disk", "fast"));

    assertThat(begun(done(scheduler, 5, first)))
        .extracting(run -> run.task().job())
        .containsExactly(TRAIN);
  }

  @Test
  void aJobThatWasDoneOnGpusOfOthersHasFinished() {
    PooledScheduler scheduler = onOneNode(1);
    TaskRun first = begun(submit(scheduler, 0, ofRounds("train", 1, 2))).getFirst();
    submit(scheduler, 1, ofRounds("later", 1, 1));
    TaskRun second = begun(done(scheduler, 5, first)).getFirst();

    assertThat(kinds(done(scheduler, 9, second)))
        .containsExactly(
            RoundDecision.Complete.class,
            RoundDecision.RunTask.class,
            ClusterEvent.JobCancelled.class);
    assertThat(scheduler.status(JobId.of("later")))
        .contains(new JobStatus.Ended(JobStatus.Outcome.FINISHED));
  }

  @Test
  void aJobThatCannotRunIsRejectedUnderItsName() {
    PooledScheduler scheduler = onOneNode(1);

    assertThat(kinds(submit(scheduler, 0, ofRounds("train", 1, 1).nodeLabel("disk", "fast"))))
        .containsExactly(Decision.Reject.class);
    assertThat(scheduler.progress(TRAIN)).isEmpty();
  }

  @Test
  void aJobOfWhichNoTaskHasRunMayChangeItsRounds() {
    PooledScheduler scheduler = onOneNode(2);
    submit(scheduler, 0, aJob("other", 2));
    submit(scheduler, 1, ofRounds("train", 2, 9));

    scheduler.on(new ClusterEvent.JobUpdated(at(2), ofRounds("train", 1, 1).build()));

    List<Step> steps = scheduler.on(new ClusterEvent.JobFinished(at(3), JobId.of("other")));
    assertThat(begun(steps)).hasSize(1);
    assertThat(tasks(done(scheduler, 4, begun(steps).getFirst())))
        .contains(new RoundDecision.Complete(TRAIN));
  }

  @Test
  void whoWaitsIsExplainedAsAnyJob() {
    PooledScheduler scheduler = onOneNode(1);
    submit(scheduler, 0, aJob("other", 1));
    submit(scheduler, 1, ofRounds("train", 2, 1));

    assertThat(scheduler.waiting()).containsExactly(TRAIN);
    assertThat(scheduler.explain(TRAIN).describe()).startsWith("job 'train' waits:");
  }

  @Test
  void eventsComeOneByOne() {
    PooledScheduler scheduler = onOneNode(1);
    ClusterEvent time = new ClusterEvent.TimePassed(Instant.EPOCH);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> scheduler.on(new ClusterEvent.Bundle(List.of(time, time))))
        .withMessageContaining("one by one");
  }

  @Test
  void onlyTasksTellOfAJobOfRounds() {
    PooledScheduler scheduler = onOneNode(1);
    submit(scheduler, 0, ofRounds("train", 1, 1));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> scheduler.on(new ClusterEvent.JobFinished(at(1), TRAIN)))
        .withMessageStartingWith("of a job of rounds its tasks tell");
  }

  @Test
  void whatIsOverCannotBeCancelled() {
    PooledScheduler scheduler = onOneNode(1);
    TaskRun run = begun(submit(scheduler, 0, ofRounds("train", 1, 1))).getFirst();
    done(scheduler, 1, run);

    assertThatThrownBy(() -> scheduler.on(new ClusterEvent.JobCancelled(at(2), TRAIN)))
        .isInstanceOf(StaleEventException.class);
  }
}
