package io.github.liquidscheduler.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.planning.PlanCertificate.JobCost;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.WindowTrigger;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class BatchPlanTest {

  private static final JobId A = JobId.of("a");
  private static final JobId B = JobId.of("b");
  private static final PlanCertificate FREE = new PlanCertificate(0, 0, 0, 0, List.of());

  @Test
  void aPlanNamesEachJobOnce() {
    refuses(
        () -> new BatchPlan(7, List.of(placement(A)), List.of(), List.of(A), FREE),
        "each job must be named once, but 'a' was named twice, in the plan for request 7");
  }

  @Test
  void aPlanAnswersARequestOrNone() {
    BatchPlan plan = new BatchPlan(0, List.of(placement(A)), List.of(), List.of(B), FREE);

    assertThat(plan.answering(3).number()).isEqualTo(3);
    refuses(
        () -> plan.answering(-1),
        "the number of a plan's request must not be negative, but was -1");
  }

  @Test
  void aRequestNamesItsJobs() {
    Reason why = new Reason.WindowClosed(WindowTrigger.COUNT, 2);

    refuses(
        () -> Decision.RequestPlan.recorded(0, List.of(A), List.of(), why),
        "the number of a request must be at least 1, but was 0");
    refuses(
        () -> Decision.RequestPlan.recorded(1, List.of(), List.of(), why),
        "a plan must be requested for a job, but was for none, in request 1");
    refuses(
        () -> Decision.RequestPlan.recorded(1, List.of(A, A), List.of(), why),
        "each job must be named once, but 'a' was named twice, in request 1");
    refuses(
        () -> Decision.RequestPlan.recorded(1, List.of(A), List.of(B), why),
        "a deferrable job must be one of those to plan, but 'b' is not, in request 1");
  }

  @Test
  void aMigrationMovesItsOwnJobAtACost() {
    refuses(
        () -> new Migration(A, placement(B), 1, 2),
        "a migration must move its own job, but moves 'b', for job 'a'");
    refuses(
        () -> new Migration(A, placement(A), -1, 2),
        "a migration's cost and gain must be finite and the cost not negative, but were -1.0 and"
            + " 2.0, for job 'a'");
    assertThat(new Migration(A, placement(A), 1, 2).pays()).isTrue();
    assertThat(new Migration(A, placement(A), 2, 2).pays()).isFalse();
  }

  @Test
  void theGapIsWhatABetterPlanCouldSave() {
    assertThat(new PlanCertificate(10, 12, 8, 5, List.of()).gap()).isEqualTo(0.2);
    assertThat(FREE.gap()).isZero();
  }

  @Test
  void aCertificateIsPossible() {
    refuses(
        () -> new PlanCertificate(10, 12, 11, 5, List.of()),
        "a lower bound must not be above the cost, but was 11.0 above 10.0");
    refuses(
        () -> new PlanCertificate(Double.NaN, 12, 0, 5, List.of()),
        "a plan's cost must be finite and not negative, but was NaN");
    refuses(
        () -> new PlanCertificate(10, 12, 0, -5, List.of()),
        "the moves evaluated must not be negative, but were -5");
    refuses(
        () -> new PlanCertificate(10, 12, 0, 5, List.of(new JobCost(A, 1), new JobCost(B, 2))),
        "the costliest job must come first, but JobCost[job=b, cost=2.0] comes after"
            + " JobCost[job=a, cost=1.0]");
  }

  @Test
  void reasonsOfBatchModeAreSentences() {
    assertThat(new Reason.WindowClosed(WindowTrigger.TIME, 4).describe())
        .isEqualTo("the batch window of 4 jobs closed: its time was up");
    assertThat(new Reason.Planned(7).describe()).isEqualTo("placed by batch plan 7");
  }

  private static Placement placement(JobId job) {
    return new Placement(
        job,
        List.of(
            new TaskPlacement(
                new TaskId("worker", 0), NodeId.of("n"), List.of(0), ResourceRequest.ofGpus(1))));
  }

  private static void refuses(ThrowingCallable code, String message) {
    assertThatIllegalArgumentException().isThrownBy(code).withMessage(message);
  }
}
