package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static io.github.liquidscheduler.scheduler.Session.aJobOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.Retry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LiquidSchedulerTest {

  private final Session fifo = Session.of(Policies.fifo(), 4, 4);
  private final Session skipping = Session.of(Policies.bestEffortFifo(), 4, 4);

  @Test
  void aJobThatFitsStartsAtOnce() {
    assertThat(fifo.submit("a", 2)).containsExactly("start a");

    assertThat(fifo.last().get(0).why()).isEqualTo(new Reason.Scheduled("fifo", 0));
    assertThat(fifo.scheduler.status(JobId.of("a"))).containsInstanceOf(JobStatus.Running.class);
  }

  @Test
  void aJobThatDoesNotFitWaitsUntilCapacityIsFree() {
    fifo.submit("a", 5);

    assertThat(fifo.submit("b", 4)).isEmpty();
    assertThat(fifo.scheduler.status(JobId.of("b"))).contains(new JobStatus.Waiting(Instant.EPOCH));
    assertThat(fifo.at(60).finish("a")).containsExactly("start b");
    assertThat(fifo.scheduler.status(JobId.of("a")))
        .contains(new JobStatus.Ended(JobStatus.Outcome.FINISHED));
  }

  @Test
  void withoutSkippingTheFirstThatDoesNotFitBlocksAllBehind() {
    fifo.submit("a", 5);
    fifo.submit("b", 4);

    assertThat(fifo.submit("c", 1)).isEmpty();
    assertThat(fifo.waiting()).containsExactly("b", "c");
    assertThat(fifo.finish("a")).containsExactly("start b", "start c");
  }

  @Test
  void withSkippingWhatFitsOvertakes() {
    skipping.submit("a", 5);
    skipping.submit("b", 4);

    assertThat(skipping.submit("c", 1)).containsExactly("start c");
    assertThat(skipping.last().get(0).why()).isEqualTo(new Reason.Scheduled("best-effort-fifo", 1));
  }

  @Test
  void whenTheBlockingJobIsWithdrawnTheNextStarts() {
    fifo.submit("a", 5);
    fifo.submit("b", 4);
    fifo.submit("c", 1);

    assertThat(fifo.cancel("b")).containsExactly("start c");
    assertThat(fifo.scheduler.status(JobId.of("b")))
        .contains(new JobStatus.Ended(JobStatus.Outcome.CANCELLED));
  }

  @Test
  void aCancelledRunningJobFreesItsGpus() {
    fifo.submit("a", 8);
    fifo.submit("b", 8);

    assertThat(fifo.cancel("a")).containsExactly("start b");
  }

  @Test
  void aJobLargerThanTheClusterIsRejectedAtOnce() {
    assertThat(fifo.submit("a", 9)).containsExactly("reject a");

    assertThat(unmetConstraints(fifo))
        .singleElement()
        .returns(Constraint.GPUS, UnmetConstraint::constraint)
        .returns(9L, UnmetConstraint::requested)
        .returns(8L, UnmetConstraint::available);
    JobStatus.Ended ended =
        new JobStatus.Ended(
            JobStatus.Outcome.REJECTED, Optional.of(fifo.last().getFirst().why().describe()));
    assertThat(fifo.scheduler.status(JobId.of("a"))).contains(ended);
    assertThat(fifo.waiting()).isEmpty();
  }

  @Test
  void aJobLargerThanWhatIsUpIsNotRejectedButWaits() {
    fifo.lose("n0");

    assertThat(fifo.submit("a", 8)).isEmpty();
    assertThat(fifo.giveBack("n0")).containsExactly("start a");
  }

  @Test
  void anUnknownGpuModelIsRejected() {
    assertThat(fifo.submit(aJob("a", 1).gpuModels(List.of(GpuModel.of("H900")))))
        .containsExactly("reject a");
    assertThat(unmetConstraints(fifo))
        .extracting(UnmetConstraint::constraint)
        .containsExactly(Constraint.GPU_MODEL);
  }

  @Test
  void anUnknownRequiredLevelIsRejected() {
    assertThat(fifo.submit(aJob("a", 1).topology(TopologyConstraint.required("galaxy"))))
        .containsExactly("reject a");
    assertThat(unmetConstraints(fifo))
        .extracting(UnmetConstraint::constraint)
        .containsExactly(Constraint.TOPOLOGY_LEVEL);
  }

  @Test
  void jobsOfALostNodeStartElsewhereWithinTheSameEvent() {
    fifo.submit("a", 3);

    assertThat(fifo.at(60).lose("n0")).containsExactly("preempt a", "start a");
    assertThat(fifo.last().get(0).why()).isEqualTo(new Reason.NodeGone(NodeId.of("n0")));
    assertThat(startOf(fifo, 1).placement().nodes()).containsExactly(NodeId.of("n1"));
    assertThat(fifo.record("a").preemptions()).isEqualTo(1);
  }

  @Test
  void aGangThatLosesOneNodeStopsWhole() {
    fifo.submit("a", 8);
    fifo.submit("b", 4);

    assertThat(fifo.at(60).lose("n1")).containsExactly("preempt a");
    assertThat(fifo.waiting()).containsExactly("a", "b");
    assertThat(fifo.running()).isEmpty();
  }

  @Test
  void aJobThatWasStoppedKeepsItsTurnAndItsService() {
    skipping.submit("a", 4);
    skipping.submit("b", 4);
    skipping.at(10).submit("c", 4);
    skipping.at(60).lose("n0");

    assertThat(skipping.waiting()).containsExactly("a", "c");
    assertThat(skipping.record("a").submittedAt()).isEqualTo(Instant.EPOCH);
    assertThat(skipping.record("a").executed()).isEqualTo(Duration.ofMinutes(1));
    assertThat(skipping.record("a").attained()).isEqualTo(Duration.ofMinutes(4));
  }

  @Test
  void aLostGpuStopsWhoHoldsItAndTakesNobody() {
    fifo.submit("a", 4);
    fifo.submit("b", 4);

    assertThat(fifo.loseGpu("n1", 2)).containsExactly("preempt b");
    assertThat(fifo.last().get(0).why()).isEqualTo(new Reason.GpuGone(GpuId.of("n1", 2)));
    assertThat(fifo.finish("a")).containsExactly("start b");
    assertThat(startOf(fifo, 0).placement().nodes()).containsExactly(NodeId.of("n0"));
  }

  @Test
  void aReturningGpuIsUsed() {
    fifo.loseGpu("n0", 0);
    fifo.submit("a", 8);

    assertThat(fifo.giveBackGpu("n0", 0)).containsExactly("start a");
  }

  @Test
  void aDrainingNodeKeepsItsTasksAndTakesNoNewOnes() {
    skipping.submit("a", 3);

    assertThat(skipping.drain("n0")).isEmpty();
    assertThat(skipping.running()).containsExactly("a");
    skipping.submit("b", 4);
    assertThat(skipping.submit("c", 1)).isEmpty();
    assertThat(skipping.giveBack("n0")).containsExactly("start c");
  }

  @Test
  void aDrainingNodeMayGetLost() {
    fifo.submit("a", 3);
    fifo.drain("n0");

    assertThat(fifo.lose("n0")).containsExactly("preempt a", "start a");
    assertThat(fifo.scheduler.state().failures().draining()).isEmpty();
    assertThat(fifo.scheduler.state().failures().lostNodes()).containsExactly(NodeId.of("n0"));
  }

  @Test
  void aFailedJobThatIsRetriedGoesBackToItsTurn() {
    fifo.submit("a", 8);
    fifo.submit("b", 8);

    assertThat(fifo.at(60).fail("a", Failure.CRASHED, Retry.now())).containsExactly("start a");
    assertThat(fifo.record("a").executed()).isEqualTo(Duration.ofMinutes(1));
    assertThat(fifo.record("a").preemptions()).isZero();
  }

  @Test
  void aFailedJobThatIsNotRetriedIsOver() {
    fifo.submit("a", 8);
    fifo.submit("b", 8);

    assertThat(fifo.fail("a", Failure.OUT_OF_MEMORY, Retry.no())).containsExactly("start b");
    assertThat(fifo.scheduler.status(JobId.of("a")))
        .contains(new JobStatus.Ended(JobStatus.Outcome.FAILED));
  }

  @Test
  void aStartThatWasNotCarriedOutAttainsNoService() {
    fifo.submit("a", 8);
    fifo.at(60).fail("a", Failure.NOT_STARTED, Retry.now());

    assertThat(fifo.record("a").executed()).isZero();
    assertThat(fifo.record("a").attained()).isZero();
  }

  @Test
  void theExplanationSaysWhatIsMissingAndWhenItWillBeThere() {
    fifo.submit(aJobOf("a", 6, 3600));
    fifo.at(60).submit("b", 4);

    String text = fifo.scheduler.explain(JobId.of("b")).describe();

    assertThat(text)
        .contains("GPUS (the job): requested 4 GPUs, available 2 GPUs")
        .contains("would fit when job a ends, expected at 1970-01-01T01:00:00Z");
  }

  @Test
  void theExplanationOfAJobThatFitsNamesTheOneBeforeIt() {
    fifo.submit("a", 6);
    fifo.submit("b", 4);
    fifo.submit("c", 1);

    assertThat(fifo.scheduler.explain(JobId.of("c")).unmetConstraints())
        .singleElement()
        .returns(Constraint.QUEUE_ORDER, UnmetConstraint::constraint);
  }

  @Test
  void onlyAWaitingJobIsExplained() {
    fifo.submit("a", 1);

    assertThatThrownBy(() -> fifo.scheduler.explain(JobId.of("a")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("only a waiting job can be explained, but job 'a' is running");
    assertThatThrownBy(() -> fifo.scheduler.explain(JobId.of("b")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("but job 'b' is not known");
  }

  @Test
  void anEndedJobIsForgottenOnceTooManyEndedAfterIt() {
    Session forgetful =
        new Session(
            LiquidScheduler.builder(Session.cluster(4))
                .policy(Policies.fifo())
                .completedJobHistory(1)
                .build());
    forgetful.submit("a", 1);
    forgetful.finish("a");
    forgetful.submit("b", 1);
    forgetful.finish("b");

    assertThat(forgetful.scheduler.status(JobId.of("a"))).isEmpty();
    assertThat(forgetful.scheduler.status(JobId.of("b"))).isPresent();
    assertThat(forgetful.submit("a", 1)).containsExactly("start a");
  }

  @Test
  void aSchedulerNeedsAPolicy() {
    assertThatThrownBy(() -> LiquidScheduler.builder(Session.cluster(4)).build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a scheduler needs a policy, but none was set. Use policy(Policies.fifo())");
  }

  @Test
  void aNegativeMemoryOfEndedJobsIsRefused() {
    assertThatThrownBy(() -> LiquidScheduler.builder(Session.cluster(4)).completedJobHistory(-1))
        .hasMessage("the number of ended jobs to remember must not be negative, but was -1");
  }

  private static Decision.Start startOf(Session session, int position) {
    return (Decision.Start) session.last().get(position);
  }

  private static List<UnmetConstraint> unmetConstraints(Session session) {
    return ((Reason.Infeasible) session.last().get(0).why()).unmetConstraints();
  }
}
