package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static io.github.liquidscheduler.scheduler.Session.aJobOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Elasticity.LateJobs;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.Retry;
import io.github.liquidscheduler.scheduling.StaleEventException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Pre-empted jobs take their time to stop, and running ones are protected from pre-emption. */
class StoppingTest {

  private static final PreemptionRules GRACE =
      PreemptionRules.NONE.gracePeriod(Duration.ofSeconds(30));

  private final Session session = session(GRACE, 4);

  @Test
  void aStartThatWaitsForAStoppingJobSaysSo() {
    session.submit("low", 4);
    session.at(5).submit(aJob("high", 2).priority(1));

    assertThat(session.last())
        .containsExactly(
            new Decision.Preempt(
                JobId.of("low"),
                new Reason.PreemptedByPriority("priority", JobId.of("high")),
                Optional.of(Instant.ofEpochSecond(35))),
            new Decision.Start(
                JobId.of("high"),
                Session.place("high on n0 0 1"),
                new Reason.Scheduled("priority", 0),
                List.of(JobId.of("low"))));
  }

  @Test
  void aStoppingJobWaitsButIsNotStartedAgainBeforeItHasStopped() {
    session.submit("low", 2);
    session.at(5).submit(aJob("high", 4).priority(1));
    session.at(6).cancel("high");

    assertThat(session.waiting()).containsExactly("low");
    assertThat(session.scheduler.status(JobId.of("low")))
        .contains(
            new JobStatus.Stopping(
                Instant.ofEpochSecond(5),
                Instant.ofEpochSecond(35),
                Session.place("low on n0 0 1")));
    assertThat(session.on(new ClusterEvent.JobStopped(Instant.ofEpochSecond(9), JobId.of("low"))))
        .containsExactly("start low");
    assertThat(starts(session)).containsExactly(List.of());
  }

  @Test
  void atTheEndOfItsGracePeriodItCountsAsStopped() {
    session.submit("low", 4);
    session.at(5).submit(aJob("high", 4).priority(1));
    session.at(6).cancel("high");

    assertThat(session.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(35));
    assertThat(session.at(35).pass()).containsExactly("start low");
  }

  @Test
  void aStartOnOtherGpusWaitsForNobody() {
    Session two = session(GRACE, 2, 2);
    two.submit("a", 2);
    two.submit("b", 2);
    assertThat(two.at(5).submit(aJob("high", 2).priority(1)))
        .containsExactly("preempt b", "start high");
    two.at(6).finish("a");
    two.submit("small", 1);

    assertThat(starts(two)).containsExactly(List.of());
  }

  @Test
  void aStartWaitsForTheCpuOfAStoppingJob() {
    Session host =
        new Session(
            LiquidScheduler.builder(host(8)).policy(Policies.priority()).preemption(GRACE).build());
    ResourceRequest five = ResourceRequest.builder().gpus(1).cpu(CpuCores.of(5)).build();
    host.submit(JobSpec.builder("low").role("worker", 1, five));
    host.at(5).submit(JobSpec.builder("high").role("worker", 1, five).priority(1));

    assertThat(starts(host)).containsExactly(List.of(JobId.of("low")));
  }

  @Test
  void aStoppingJobThatIsUpdatedIsNotStartedBeforeItHasStopped() {
    Session two = session(GRACE, 2, 2);
    two.submit("a", 2);
    two.submit("b", 2);
    two.at(1).submit(aJob("high", 2).priority(1));
    two.finish("a");

    assertThat(two.at(2).update(aJob("b", 1))).isEmpty();
    assertThat(two.scheduler.status(JobId.of("b")))
        .contains(
            new JobStatus.Stopping(
                Instant.ofEpochSecond(1), Instant.ofEpochSecond(31), Session.place("b on n1 0 1")));
    assertThat(two.at(3).stop("b")).containsExactly("start b");
    assertThat(starts(two)).containsExactly(List.of());
  }

  @Test
  void whoTakesTheGpusOfAStoppingJobWaitsForItThoughItWasUpdated() {
    session.submit("low", 4);
    session.at(5).submit(aJob("high", 2).priority(1));
    session.at(6).update(aJob("low", 4));

    session.submit(aJob("next", 2).priority(1));

    assertThat(starts(session)).containsExactly(List.of(JobId.of("low")));
  }

  @Test
  void theShareOfAJobWithADeadlineDoesNotEndItsGracePeriod() {
    Session two = deadlines(2, 2);
    two.submit(aJobOf("a", 2, 60).deadline(Instant.ofEpochSecond(3600)));
    two.at(1)
        .on(
            new ClusterEvent.NodeDraining(
                Instant.ofEpochSecond(1), NodeId.of("n0"), Optional.of(Instant.ofEpochSecond(2))));
    assertThat(two.at(2).pass()).containsExactly("preempt a");

    assertThat(two.at(3).pass()).isEmpty();
    assertThat(two.update(aJobOf("a", 2, 60).deadline(Instant.ofEpochSecond(3600)))).isEmpty();
    assertThat(two.at(32).pass()).containsExactly("start a");
  }

  @Test
  void theShareOfAJobWithADeadlineDoesNotEndTheDelayOfItsRetry() {
    JobSpec job = aJobOf("a", 2, 60).deadline(Instant.ofEpochSecond(3600)).build();
    for (Optional<JobSpec> updated : List.of(Optional.<JobSpec>empty(), Optional.of(job))) {
      Session one = deadlines(4);
      one.submit(job.toBuilder());
      one.at(10)
          .on(
              new ClusterEvent.JobFailed(
                  Instant.ofEpochSecond(10),
                  job.id(),
                  Failure.OUT_OF_MEMORY,
                  Retry.after(Duration.ofMinutes(5)),
                  updated));

      for (Session each : List.of(restored(one), one.copy(), one)) {
        assertThat(each.at(11).pass()).isEmpty();
        assertThat(each.at(309).pass()).isEmpty();
        assertThat(each.at(310).pass()).containsExactly("start a");
      }
    }
  }

  @Test
  void aStoppingJobThatIsUpdatedWaitsForItsShareOnceItHasStopped() {
    Session two = deadlines(2, 2);
    two.submit(aJobOf("b", 2, 100).deadline(Instant.ofEpochSecond(3600)));
    two.submit(aJobOf("a", 2, 60).deadline(Instant.ofEpochSecond(3600)));
    two.on(
        new ClusterEvent.NodeDraining(
            Instant.EPOCH, NodeId.of("n1"), Optional.of(Instant.ofEpochSecond(2))));
    assertThat(two.at(2).pass()).containsExactly("preempt a");
    two.update(aJobOf("a", 2, 60).deadline(Instant.ofEpochSecond(3600)));

    for (Session each : List.of(restored(two), two.copy(), two)) {
      assertThat(each.at(3).stop("a")).isEmpty();
      assertThat(each.explain("a").unmetConstraints()).isNotEmpty();
      assertThat(each.at(100).finish("b")).containsExactly("start a");
    }
  }

  @Test
  void aStoppingJobThatIsUpdatedBeyondTheClusterIsRejectedAndOver() {
    session.submit("low", 4);
    session.at(5).submit(aJob("high", 2).priority(1));

    assertThat(session.at(6).update(aJob("low", 5))).containsExactly("reject low");
  }

  @Test
  void aStoppingJobMayStillFinishFailOrBeCancelled() {
    session.submit("a", 1);
    session.submit("b", 1);
    session.submit("c", 1);
    session.at(5).submit(aJob("high", 4).priority(1));

    assertThat(session.waiting()).containsExactlyInAnyOrder("a", "b", "c");
    session.at(6).finish("a");
    session.fail("b", Failure.CRASHED, Retry.no());
    session.cancel("c");
    assertThat(session.waiting()).isEmpty();
    session.finish("high");
    session.submit("next", 4);
    assertThat(starts(session)).containsExactly(List.of());
  }

  @Test
  void aStoppedJobMayHaveToWaitBeforeItStartsAgain() {
    session.submit("low", 4);
    session.at(5).submit(aJob("high", 4).priority(1));
    Retry later = Retry.after(Duration.ofSeconds(60));
    session.at(6).on(new ClusterEvent.JobStopped(session.now(), JobId.of("low"), later));

    assertThat(session.scheduler.status(JobId.of("high")))
        .containsInstanceOf(JobStatus.Running.class);
    assertThat(session.at(7).finish("high")).isEmpty();
    assertThat(session.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(66));
    assertThat(session.at(66).pass()).containsExactly("start low");
    assertThat(session.entry("low").history().failures()).isZero();
  }

  @Test
  void theDelayCountsAlsoIfTheGracePeriodEndsWithTheReport() {
    session.submit("low", 4);
    session.at(5).submit(aJob("high", 4).priority(1));
    session.at(6).cancel("high");
    Retry later = Retry.after(Duration.ofSeconds(60));

    assertThat(
            session.at(36).on(new ClusterEvent.JobStopped(session.now(), JobId.of("low"), later)))
        .isEmpty();
    assertThat(session.at(96).pass()).containsExactly("start low");
  }

  @Test
  void whoStopsIsTriedAgain() {
    assertThatThrownBy(() -> new ClusterEvent.JobStopped(Instant.EPOCH, JobId.of("a"), Retry.no()))
        .hasMessageStartingWith("a job that stopped waits again");
  }

  @Test
  void onlyAStoppingJobCanStop() {
    session.submit("a", 1);
    session.submit(aJob("high", 4).priority(1));
    session.stop("a");

    assertThatThrownBy(() -> session.stop("a"))
        .isInstanceOf(StaleEventException.class)
        .hasMessage("only a stopping job can stop, but job 'a' waits");
  }

  @Test
  void copiesAndRestoredSchedulersKnowWhoIsStopping() {
    session.submit("low", 4);
    session.at(5).submit(aJob("high", 2).priority(1));

    Session restored =
        new Session(
            LiquidScheduler.builder(Session.cluster(4))
                .policy(Policies.priority())
                .preemption(GRACE)
                .restore(session.scheduler.snapshot()));
    for (Session other : List.of(restored, session.copy())) {
      other.at(6).submit(aJob("next", 2).priority(1));
      assertThat(starts(other)).containsExactly(List.of(JobId.of("low")));
    }
  }

  @Test
  void aJobIsNotPreemptedBeforeItHasRunForAWhile() {
    Session patient = session(PreemptionRules.NONE.minRunTime(Duration.ofMinutes(10)), 4);
    patient.submit("low", 4);

    assertThat(patient.at(5).submit(aJob("high", 4).priority(1))).isEmpty();
    assertThat(patient.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(600));
    assertThat(patient.at(599).pass()).isEmpty();
    assertThat(patient.at(600).pass()).containsExactly("preempt low", "start high");
  }

  @Test
  void protectionEndsThoughTheJobItselfReportsAtThatInstant() {
    Session patient = session(PreemptionRules.NONE.minRunTime(Duration.ofMinutes(10)), 4);
    patient.submit("low", 4);
    patient.at(5).submit(aJob("high", 4).priority(1));

    assertThat(patient.at(600).remaining("low", 3600)).containsExactly("preempt low", "start high");
  }

  @Test
  void aJobIsPreemptedSoOftenAndNotMore() {
    Session patient = session(PreemptionRules.NONE.mostPreemptions(1), 4);
    patient.submit("low", 4);
    assertThat(patient.submit(aJob("first", 4).priority(1)))
        .containsExactly("preempt low", "start first");
    assertThat(patient.finish("first")).containsExactly("start low");

    assertThat(patient.submit(aJob("second", 4).priority(1))).isEmpty();
    assertThat(patient.finish("low")).containsExactly("start second");
  }

  @Test
  void aNodeIsEmptyAtTheDeadlineOfItsDraining() {
    Session two = session(GRACE, 2, 2);
    two.submit(aJob("a", 2).preemptible(false));
    two.submit("b", 2);
    two.at(5)
        .on(
            new ClusterEvent.NodeDraining(
                Instant.ofEpochSecond(5),
                NodeId.of("n0"),
                Optional.of(Instant.ofEpochSecond(100))));

    assertThat(two.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(100));
    assertThat(two.at(99).pass()).isEmpty();
    for (Session each : List.of(two.copy(), two)) {
      assertThat(each.at(100).pass()).containsExactly("preempt a");
      assertThat(each.last().get(0).why()).isEqualTo(new Reason.NodeDrained(NodeId.of("n0")));
      assertThat(each.at(101).pass()).isEmpty();
    }
  }

  @Test
  void aNodeThatReturnsHasNoDeadline() {
    Session one = session(GRACE, 2);
    one.submit("a", 2);
    one.on(
        new ClusterEvent.NodeDraining(
            Instant.EPOCH, NodeId.of("n0"), Optional.of(Instant.ofEpochSecond(100))));
    one.giveBack("n0");

    assertThat(one.at(200).pass()).isEmpty();
  }

  @Test
  void noRuleMayBeNegative() {
    assertThatThrownBy(() -> PreemptionRules.NONE.mostPreemptions(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "no rule of pre-emption must be negative, but were run time PT0S, pre-emptions -1,"
                + " grace period PT0S, moves 0, moves per hour 2147483647, pause PT0S, rest PT0S");
  }

  /** Returns a session in which jobs with deadlines are promised shares. */
  private static Session deadlines(int... gpusOfNodes) {
    return new Session(withDeadlines(Session.cluster(gpusOfNodes)).build());
  }

  private static Session restored(Session session) {
    return new Session(
        withDeadlines(session.scheduler.view().topology()).restore(session.scheduler.snapshot()));
  }

  private static LiquidScheduler.Builder withDeadlines(ClusterTopology cluster) {
    return LiquidScheduler.builder(cluster)
        .policy(Policies.deadlineFirst())
        .elasticity(
            Elasticity.by(SizingPolicy.marginalGain())
                .cost(ResizeCost.NONE)
                .worthwhile(0)
                .deadlines(LateJobs.WAIT)
                .build())
        .preemption(GRACE);
  }

  private static List<List<JobId>> starts(Session session) {
    return session.last().stream()
        .filter(Decision.Start.class::isInstance)
        .map(start -> ((Decision.Start) start).after())
        .toList();
  }

  /** Returns a cluster of one node with two GPUs and the given number of cores. */
  private static ClusterTopology host(int cores) {
    return ClusterTopology.builder()
        .node(
            Node.builder("n0")
                .gpus(2, GpuModel.of("V100"), Memory.ofGib(16))
                .cpu(CpuCores.of(cores))
                .build())
        .build();
  }

  private static Session session(PreemptionRules rules, int... gpusOfNodes) {
    return new Session(
        LiquidScheduler.builder(Session.cluster(gpusOfNodes))
            .policy(Policies.priority())
            .preemption(rules)
            .build());
  }
}
