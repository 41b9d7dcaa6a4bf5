package io.github.liquidscheduler.rounds.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Synchronization;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.rounds.ComputeTimes;
import io.github.liquidscheduler.rounds.RoundDecision;
import io.github.liquidscheduler.rounds.RoundEvent;
import io.github.liquidscheduler.rounds.TaskRun;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.ResizeStep;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RoundPoolTest {

  private static final JobId POOL = JobId.of("pool");
  private static final JobId OTHER = JobId.of("other");
  private static final Reason WHY = new Reason.Scheduled("fifo", 0);
  private static final GpuId N0 = GpuId.of("n0", 0);
  private static final GpuId N1 = GpuId.of("n1", 0);

  private final ClusterTopology cluster =
      ClusterTopology.builder().node(node("n0")).node(node("n1")).node(node("n2")).build();

  private final RoundPool pool =
      RoundPool.of(
          POOL,
          Duration.ofSeconds(15),
          RoundScheduler.builder(RoundPolicy.leastAttainedService()).build());

  private static Node node(String id) {
    return Node.builder(id).gpus(1, GpuModel.of("T4"), Memory.ofGib(16)).build();
  }

  private static Instant at(long seconds) {
    return Instant.ofEpochSecond(seconds);
  }

  private static Placement on(String... nodes) {
    List<TaskPlacement> tasks = new ArrayList<>();
    for (String node : nodes) {
      TaskId task = new TaskId("node", tasks.size());
      tasks.add(new TaskPlacement(task, NodeId.of(node), List.of(0), ResourceRequest.ofGpus(1)));
    }
    return new Placement(POOL, tasks);
  }

  private RoundPool.Outcome take(long seconds, Decision... decisions) {
    return pool.take(at(seconds), List.of(decisions), cluster);
  }

  private static Decision preemption(long until) {
    return new Decision.Preempt(POOL, WHY, Optional.of(at(until)));
  }

  /** Starts the pool on two nodes, with a job whose round has as many tasks. */
  private List<TaskRun> started() {
    take(0, new Decision.Start(POOL, on("n0", "n1"), WHY));
    JobSpec job =
        JobSpec.builder("rounds")
            .gpus(2)
            .synchronization(new Synchronization.RelaxedRounds(2, 3))
            .build();
    return pool
        .on(List.of(new RoundEvent.JobSubmitted(at(0), job, ComputeTimes.UNKNOWN)))
        .decisions()
        .stream()
        .map(decision -> ((RoundDecision.RunTask) decision).run())
        .toList();
  }

  @Test
  void aPoolRunsOnTheGpusThatItsJobHolds() {
    assertThat(started()).extracting(TaskRun::gpu).containsExactly(N0, N1);
  }

  @Test
  void aSmallerPoolReportsThatItHasSwitchedWhenItsGpuIsBack() {
    List<TaskRun> runs = started();

    assertThat(take(1, new Decision.Resize(POOL, on("n0"), 1, WHY, List.of())).reports()).isEmpty();
    assertThat(pool.nextWakeUp()).contains(at(16));
    RoundPool.Outcome outcome =
        pool.on(List.of(new RoundEvent.TaskSynchronized(at(3), runs.get(1))));
    assertThat(outcome.decisions()).contains(new RoundDecision.GiveBack(N1));
    assertThat(outcome.reports())
        .containsExactly(new ClusterEvent.ResizeReported(at(3), POOL, 1, ResizeStep.SWITCHED));
  }

  @Test
  void aGpuThatIsNotBackInTimeIsTakenFromItsTask() {
    List<TaskRun> runs = started();
    take(1, new Decision.Resize(POOL, on("n0"), 1, WHY, List.of()));

    RoundPool.Outcome outcome = pool.on(List.of(new RoundEvent.TimePassed(at(16))));

    assertThat(outcome.decisions())
        .containsExactly(
            new RoundDecision.StopTask(runs.get(1), RoundDecision.StopCause.ASKED_BACK),
            new RoundDecision.GiveBack(N1));
    assertThat(outcome.reports()).hasSize(1);
  }

  @Test
  void aPreemptedPoolReportsThatItHasStoppedBeforeItsTimeIsUp() {
    List<TaskRun> runs = started();
    take(1, preemption(30));

    pool.on(List.of(new RoundEvent.TaskSynchronized(at(3), runs.get(1))));
    assertThat(pool.on(List.of(new RoundEvent.TaskSynchronized(at(4), runs.get(0)))).reports())
        .containsExactly(new ClusterEvent.JobStopped(at(4), POOL));
    assertThat(pool.gpus()).isEmpty();
  }

  @Test
  void aPreemptedPoolIsGoneWhenItsTimeIsUp() {
    started();
    take(1, preemption(30));

    assertThat(pool.on(List.of(new RoundEvent.TimePassed(at(30)))).reports()).isEmpty();
    assertThat(pool.gpus()).isEmpty();
  }

  @Test
  void tasksGoOnWhereAPoolIsStartedAgainInTheSameAnswer() {
    started();
    pool.on(List.of(new RoundEvent.NodeLost(at(1), NodeId.of("n1"))));

    RoundPool.Outcome outcome =
        take(
            1,
            new Decision.Preempt(POOL, WHY),
            new Decision.Start(POOL, on("n0", "n2"), WHY, List.of()));

    assertThat(outcome.decisions())
        .singleElement()
        .extracting(decision -> ((RoundDecision.RunTask) decision).run().gpu())
        .isEqualTo(GpuId.of("n2", 0));
  }

  @Test
  void aLargerPoolWaitsUntilOthersHaveLeft() {
    started();
    Decision larger = new Decision.Resize(POOL, on("n0", "n1", "n2"), 1, WHY, List.of(OTHER));

    assertThat(take(1, larger).reports()).isEmpty();
    assertThat(pool.gpus()).hasSize(2);
    assertThat(pool.left(at(2), OTHER).reports())
        .containsExactly(new ClusterEvent.ResizeReported(at(2), POOL, 1, ResizeStep.SWITCHED));
    assertThat(pool.gpus()).hasSize(3);
  }

  @Test
  void aResizeThatIsTakenBackKeepsTheGpus() {
    started();
    take(1, new Decision.Resize(POOL, on("n0"), 1, WHY, List.of()));

    assertThat(take(2, new Decision.Resize(POOL, on("n0", "n1"), 2, WHY, List.of())).reports())
        .containsExactly(new ClusterEvent.ResizeReported(at(2), POOL, 2, ResizeStep.SWITCHED));
    assertThat(pool.nextWakeUp()).isEmpty();
  }

  @Test
  void aPoolWhoseJobIsCancelledGivesAllBackAtOnce() {
    List<TaskRun> runs = started();

    assertThat(pool.close(at(1)).decisions())
        .contains(
            new RoundDecision.StopTask(runs.get(0), RoundDecision.StopCause.ASKED_BACK),
            new RoundDecision.GiveBack(N1));
    assertThat(pool.gpus()).isEmpty();
  }

  @Test
  void decisionsAboutOthersMeanNothing() {
    started();

    assertThat(take(1, new Decision.Preempt(OTHER, WHY)))
        .isEqualTo(new RoundPool.Outcome(List.of(), List.of()));
  }

  @Test
  void aPoolBeginsWithoutGpus() {
    RoundScheduler rounds = RoundScheduler.builder(RoundPolicy.hlas()).build();
    rounds.on(new RoundEvent.GpuAdded(at(0), N0, GpuModel.of("T4")));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> RoundPool.of(POOL, Duration.ZERO, rounds))
        .withMessage("a pool must begin without GPUs, but has [n0:0], for job 'pool'");
  }
}
