package io.github.liquidscheduler.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.Counterfactual;
import io.github.liquidscheduler.explanation.Counterfactual.GivenBack;
import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.explanation.QueuePosition;
import io.github.liquidscheduler.explanation.RetryCondition;
import io.github.liquidscheduler.explanation.StartEstimate;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class DecisionTest {

  private static final JobId JOB = JobId.of("a");
  private static final QueuePosition FIRST = new QueuePosition(0, List.of(), Optional.empty());
  private static final Reason TURN = new Reason.Scheduled("fifo", 0);
  private static final Placement OF_B =
      new Placement(
          JobId.of("b"),
          List.of(
              new TaskPlacement(
                  new TaskId("worker", 0), NodeId.of("n"), List.of(0), ResourceRequest.ofGpus(1))));

  @Test
  void aDecisionPlacesItsOwnJob() {
    String message = "a decision must place its own job, but places 'b', for job 'a'";

    refuses(() -> new Decision.Start(JOB, OF_B, TURN), message);
    refuses(() -> new Decision.Migrate(JOB, OF_B, TURN), message);
  }

  @Test
  void reasonsAreSentences() {
    assertThat(TURN.describe()).isEqualTo("next in the order of policy fifo");
    assertThat(new Reason.Scheduled("sjf", 2).describe())
        .isEqualTo("bypasses 2 that come before it by policy sjf and do not fit");
    GpuModel v100 = GpuModel.of("V100");
    GpuModel k80 = GpuModel.of("K80");
    assertThat(new Reason.ScheduledOn("fifo", 0, v100, 3.1, k80).describe())
        .isEqualTo("next in the order of policy fifo; on V100, 3.10 times as fast as on K80");
    assertThat(new Reason.ScheduledOn("fifo", 0, k80, 0.5, v100).describe())
        .isEqualTo(
            "next in the order of policy fifo; on K80, 0.50 times as fast as on V100, which is"
                + " taken or falls to others");
    assertThat(new Reason.PreemptedByPriority("priority", JOB).describe())
        .isEqualTo("is pre-empted for job 'a', which comes first by policy priority");
    assertThat(new Reason.InterferenceViolation(JOB, 0.62, 0.85).describe())
        .isEqualTo(
            "co-runner '" + JOB + "' retains 0.62 of its speed alone, and 0.85 was promised");
    assertThat(new Reason.NetGain(60, 2.5).describe()).isEqualTo("gains 60.0 s and costs 2.5 s");
  }

  @Test
  void reasonsThatCannotBeAreRefused() {
    refuses(
        () -> new Reason.Scheduled("fifo", -1),
        "the jobs bypassed must not be negative, but were -1");
    refuses(
        () -> new Reason.ScheduledOn("fifo", 0, GpuModel.of("a"), 0, GpuModel.of("b")),
        "a ratio of speeds must be positive and finite, but was 0.0");
    refuses(
        () -> new Reason.Infeasible(List.of()),
        "an infeasible job must have an unmet constraint, but had none");
    refuses(
        () -> new Reason.NetGain(Double.NaN, 1),
        "gain and cost must be finite, but were NaN and 1.0");
  }

  @Test
  void counterfactualsAreSentences() {
    assertThat(new Counterfactual.FewerTasks(6, 6).describe())
        .isEqualTo("would fit with 6 GPUs (6 tasks)");
    assertThat(new Counterfactual.WiderLevel("zone").describe())
        .isEqualTo("would fit if the required level is 'zone'");
    assertThat(new Counterfactual.OtherModel(GpuModel.of("P100")).describe())
        .isEqualTo("would fit on P100");
    assertThat(new Counterfactual.AfterJobsEnd(List.of(JOB), Optional.empty()).describe())
        .isEqualTo("would fit when job a ends");
    assertThat(
            new Counterfactual.AfterJobsEnd(List.of(JOB, JobId.of("b")), Optional.of(Instant.EPOCH))
                .describe())
        .isEqualTo("would fit when jobs [a, b] end, expected at 1970-01-01T00:00:00Z");
  }

  @Test
  void counterfactualsNameWhatQueuesWouldGiveBack() {
    QueueName b = QueueName.of("b");
    QuotaResource v100s = QuotaResource.gpus(GpuModel.of("V100"));
    assertThat(givingBack(new GivenBack(b, QuotaResource.GPUS, 4, 6)))
        .isEqualTo("would fit if queue 'b' gave back 4 of the 6 GPUs that it borrows (job a)");
    assertThat(
            givingBack(
                new GivenBack(b, v100s, 8, 2.5),
                new GivenBack(QueueName.of("c"), QuotaResource.CPU, 4, 16),
                new GivenBack(b, QuotaResource.MEMORY, 1L << 30, 3L << 30)))
        .isEqualTo(
            "would fit if queue 'b' gave back 2.5 of the 2.5 GPUs of model V100 that it borrows"
                + " and queue 'c' gave back 4 of the 16 CPU cores that it borrows"
                + " and queue 'b' gave back 1 GiB of the 3 GiB of memory that it borrows (job a)");
    refuses(
        () -> new GivenBack(b, QuotaResource.GPUS, 0, 6),
        "what is given back and borrowed must be above 0 and finite, but were 0.0 and 6.0, for"
            + " queue 'b'");
    refuses(
        () -> new Counterfactual.AfterGivingBack(List.of(), List.of(JOB), Optional.empty()),
        "queues that give something back must be named, and their jobs, but were [] and [a]");
  }

  private static String givingBack(GivenBack... queues) {
    return new Counterfactual.AfterGivingBack(List.of(queues), List.of(JOB), Optional.empty())
        .describe();
  }

  @Test
  void counterfactualsNameWhatToAskLessOfAndWhatHasToReturn() {
    ResourceRequest smaller = ResourceRequest.builder().gpus(1).cpu(CpuCores.of(4)).build();
    assertThat(new Counterfactual.SmallerRequest("worker", smaller).describe())
        .isEqualTo("would fit if each task of role 'worker' requested 1 GPU, 4 cores");
    assertThat(new Counterfactual.WithoutLabels(Map.of("disk", "ssd")).describe())
        .isEqualTo("would fit without the node labels {disk=ssd}");
    assertThat(new Counterfactual.AfterReturn(List.of(NodeId.of("n1")), List.of()).describe())
        .isEqualTo("would fit when node n1 returns");
    assertThat(
            new Counterfactual.AfterReturn(List.of(NodeId.of("n1")), List.of(GpuId.of("n2", 3)))
                .describe())
        .isEqualTo("would fit when node n1, GPU n2:3 return");
  }

  @Test
  void counterfactualsNameTheMostThatQuotasAllow() {
    QueueName lab = QueueName.of("lab");
    assertThat(new Counterfactual.WithinQuotas(lab, QuotaResource.CPU, false, 1.5).describe())
        .isEqualTo(
            "never starts under these quotas, which allow it at most 1.5 CPU cores"
                + " (limit of queue 'lab')");
    assertThat(new Counterfactual.IfPreemptible().describe())
        .isEqualTo("would fit if it might be pre-empted");
    refuses(
        () -> new Counterfactual.WithinQuotas(lab, QuotaResource.GPUS, true, -1),
        "the most that a quota allows must be finite and at least 0, but was -1.0,"
            + " for queue 'lab'");
  }

  @Test
  void aPositionSaysWhoIsAheadAndNotBeforeWhenTheJobStarts() {
    assertThat(FIRST.describe()).isEqualTo("first in the queue");
    assertThat(
            new QueuePosition(
                    1, List.of(JOB), Optional.of(new StartEstimate.NotBefore(Instant.EPOCH)))
                .describe())
        .isEqualTo(
            "position 2 in the queue, behind 'a';"
                + " not expected to start before 1970-01-01T00:00:00Z");
    refuses(
        () -> new QueuePosition(2, List.of(), Optional.empty()),
        "of the jobs ahead some must be named, but of 2 were named []");
  }

  @Test
  void counterfactualsThatCannotBeAreRefused() {
    refuses(
        () -> new Counterfactual.WithoutLabels(Map.of()),
        "labels to do without must be named, but none was");
    refuses(
        () -> new Counterfactual.AfterReturn(List.of(), List.of()),
        "what has to return must be named, but nothing was");
    refuses(
        () -> new Counterfactual.FewerTasks(0, 0),
        "fewer tasks must be at least 1 with at least 0 GPUs, but were 0 with 0");
    refuses(
        () -> new Counterfactual.AfterJobsEnd(List.of(), Optional.empty()),
        "jobs that have to end must be named, but none was");
  }

  @Test
  void anExplanationSaysWhatIsMissingAndWhatWouldHelp() {
    UnmetConstraint memory =
        new UnmetConstraint(
            Constraint.MEMORY,
            "role 'worker'",
            64L << 30,
            16L << 30,
            Optional.of(new UnmetConstraint.ClosestFit("node 'n7'", 48L << 30)));
    Explanation explanation =
        new Explanation(
            JOB,
            Instant.EPOCH,
            new QueuePosition(
                5,
                List.of(JobId.of("b"), JobId.of("c")),
                Optional.of(new StartEstimate.ExpectedAt(Instant.EPOCH))),
            List.of(memory),
            List.of(
                new RetryCondition.CapacityReleased(), new RetryCondition.AtTime(Instant.EPOCH)),
            List.of(new Counterfactual.FewerTasks(2, 2)));

    assertThat(explanation.describe())
        .isEqualTo(
            """
            job 'a' waits:
              position 6 in the queue, behind 'b', 'c' and 3 more; expected to start at 1970-01-01T00:00:00Z
              MEMORY (role 'worker'): requested 64 GiB, available 16 GiB, closest fit node 'n7' with 48 GiB
              is tried again when capacity is released, or at 1970-01-01T00:00:00Z
              would fit with 2 GPUs (2 tasks)\
            """);
  }

  @Test
  void anExplanationHasAnUnmetConstraintAndAConditionOfTheNextTry() {
    RetryCondition any = new RetryCondition.AnyChange();
    refuses(
        () -> new Explanation(JOB, Instant.EPOCH, FIRST, List.of(), List.of(any), List.of()),
        "an explanation needs unmet constraints and conditions, but had 0 and 1, for job 'a'");
  }

  @Test
  void progressIsFiniteAndNotNegative() {
    refuses(
        () -> Progress.of(-1, 1),
        "iterations and their rate must be finite and not negative, but were -1 and 1.0");
    refuses(
        () -> Progress.of(1, Double.NaN),
        "iterations and their rate must be finite and not negative, but were 1 and NaN");
    refuses(
        () -> Progress.of(1, 1).withRemaining(Duration.ofSeconds(-1)),
        "the remaining time must not be negative, but was PT-1S");
  }

  private static void refuses(ThrowingCallable code, String message) {
    assertThatIllegalArgumentException().isThrownBy(code).withMessage(message);
  }
}
