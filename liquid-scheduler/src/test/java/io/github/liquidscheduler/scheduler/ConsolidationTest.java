package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.Retry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two nodes of four GPUs, of which jobs of two hold one half each. */
class ConsolidationTest {

  @Test
  void aJobMovesToDefragmentCapacityForAWaitingJob() {
    Session session = scattered(Policies.bestEffortFifo(), 1);

    assertThat(session.submit(aJob("large", 3))).containsExactly("migrate b", "start large");
    assertThat(session.last().getFirst().why()).isEqualTo(new Reason.MadeWay(JobId.of("large")));
    assertThat(session.scheduler.view().placement(JobId.of("b")).orElseThrow().nodes())
        .isEqualTo(session.scheduler.view().placement(JobId.of("a")).orElseThrow().nodes());
  }

  @Test
  void nobodyMovesUnlessThatWasAllowed() {
    assertThat(scattered(Policies.bestEffortFifo(), 0).submit(aJob("large", 3))).isEmpty();
  }

  @Test
  void nobodyMovesForAJobForWhichTooLittleIsFreeInAll() {
    assertThat(scattered(Policies.bestEffortFifo(), 8).submit(JobSpec.builder("large").gpus(5)))
        .isEmpty();
  }

  @Test
  void ifNobodyIsPreemptedAJobStartsOnTheCapacityOfAnyJobThatLeaves() {
    for (SchedulingPolicy policy :
        List.of(Policies.shortestJobFirst(), Policies.smallestAreaFirst())) {
      assertThat(longerAndShort(policy).finish("longer")).containsExactly("start short");
      assertThat(longerAndShort(policy).cancel("longer")).containsExactly("start short");
      for (Retry retry : List.of(Retry.no(), Retry.now(), Retry.after(Duration.ofHours(1)))) {
        assertThat(longerAndShort(policy).fail("longer", Failure.CRASHED, retry))
            .containsExactly("start short");
      }
    }
  }

  /** Returns two GPUs, one free, one with a job of unknown length; a short job of both waits. */
  private static Session longerAndShort(SchedulingPolicy policy) {
    Session session = session(policy, PreemptionRules.NONE.moving(1), Session.cluster(2));
    session.submit(aJob("longer", 1));
    session.submit(aJob("fixed", 1).preemptible(false));
    assertThat(session.submit(Session.aJobOf("short", 2, 300))).isEmpty();
    assertThat(session.finish("fixed")).isEmpty();
    return session;
  }

  @Test
  void aJobMovesOthersOnceAJobThatItCouldPreemptHasEnded() {
    Session session = session(Policies.priority(), PreemptionRules.NONE.moving(1));
    session.submit(aJob("urgent", 1).priority(9));
    session.submit(aJob("low", 3));
    session.submit(aJob("fixed", 3).preemptible(false));
    assertThat(session.submit(aJob("node", 4).priority(5))).isEmpty();

    assertThat(session.finish("low")).containsExactly("migrate urgent", "start node");
  }

  @Test
  void aJobMovesOthersOnceALaterOneHasStoppedAJob() {
    Session session =
        session(Policies.priority(), PreemptionRules.NONE.moving(1), Session.cluster(4, 4, 1));
    session.submit(aJob("urgent", 1).priority(9).excludeNodes(List.of("n2")));
    session.submit(
        JobSpec.builder("low")
            .excludeNodes(List.of("n1"))
            .role(new TaskRole("large", 1, ResourceRequest.ofGpus(3)))
            .role(new TaskRole("small", 1, ResourceRequest.ofGpus(1))));
    assertThat(session.nodesOf("low")).containsExactly("n0", "n2");
    session.submit(aJob("fixed", 3).preemptible(false));
    session.submit(aJob("node", 4).priority(5));

    assertThat(session.submit(aJob("elsewhere", 1).priority(3).excludeNodes(List.of("n1"))))
        .containsExactly("preempt low", "start elsewhere", "migrate urgent", "start node");
  }

  @Test
  void noMoreMoveThanAreAllowed() {
    assertThat(ofOne(1).submit(aJob("large", 4))).isEmpty();
    assertThat(ofOne(2).submit(aJob("large", 4)))
        .containsExactly("migrate c", "migrate d", "start large");
  }

  @Test
  void jobsThatMayNotBePreemptedNeitherMoveNorMoveOthers() {
    Session session = session(Policies.bestEffortFifo(), PreemptionRules.NONE.moving(2));
    session.submit(aJob("a", 2).preemptible(false));
    session.submit(aJob("filler", 2));
    session.submit(aJob("b", 2).preemptible(false));
    session.finish("filler");

    assertThat(session.submit(aJob("large", 3))).isEmpty();
    assertThat(scattered(Policies.bestEffortFifo(), 2).submit(aJob("large", 3).preemptible(false)))
        .isEmpty();
  }

  /** At the instant of its start it stays. */
  @Test
  void whoHasJustStartedMovesInTheNextTurnWhichIsDueAtOnce() {
    for (SchedulingPolicy policy :
        List.of(Policies.fifo(), Policies.bestEffortFifo(), Policies.priority())) {
      Session session = session(policy, PreemptionRules.NONE.moving(1)).stepByStep();
      session.submit(JobSpec.builder("both").gpus(8).preemptible(false));
      session.submit(aJob("first", 1));
      session.submit(aJob("second", 4).excludeNodes(List.of("n1")));

      assertThat(session.at(9).finish("both")).containsExactly("start first");
      assertThat(session.scheduler.nextWakeUp()).contains(session.now().plusNanos(1));
      assertThat(restored(session, policy).stepByStep().at(9).pass()).isEmpty();
      assertThat(restored(session, policy).stepByStep().at(9).passNext())
          .containsExactly("migrate first", "start second");
      assertThat(session.pass()).isEmpty();
      assertThat(session.passNext()).containsExactly("migrate first", "start second");
      assertThat(session.scheduler.nextWakeUp()).isEmpty();
    }
  }

  @Test
  void noImmediateTurnIsDueIfJustStartedJobsBlockNoJob() {
    Session session = session(Policies.bestEffortFifo(), PreemptionRules.NONE.moving(1));
    session.submit(aJob("stays", 1).preemptible(false).excludeNodes(List.of("n1")));
    session.submit(aJob("large", 4).preemptible(false));
    session.submit(aJob("first", 1).excludeNodes(List.of("n0")));
    session.submit(aJob("second", 4).excludeNodes(List.of("n1")));

    assertThat(session.at(9).finish("large")).containsExactly("start first");
    assertThat(session.scheduler.nextWakeUp()).isEmpty();
  }

  /** The higher one moves no job, as it may not be pre-empted. */
  @Test
  void aJobStartedByConsolidationMayBePreemptedInTheImmediateNextTurn() {
    Session session = session(Policies.priority(), PreemptionRules.NONE.moving(1)).stepByStep();
    session.submit(aJob("moves", 2).priority(9));
    session.submit(aJob("stays", 2).preemptible(false).excludeNodes(List.of("n0")));
    session.submit(aJob("higher", 4).priority(5).preemptible(false));

    assertThat(session.at(9).submit(aJob("lower", 4)))
        .containsExactly("migrate moves", "start lower");
    assertThat(session.scheduler.nextWakeUp()).contains(session.now().plusNanos(1));
    assertThat(session.pass()).isEmpty();
    assertThat(session.passNext()).containsExactly("preempt lower", "start higher");
    assertThat(session.scheduler.nextWakeUp()).isEmpty();
  }

  @Test
  void whoHasNotRunLongEnoughMovesOnceItHas() {
    Session session =
        session(
            Policies.bestEffortFifo(),
            PreemptionRules.NONE.moving(1).minRunTime(Duration.ofSeconds(60)));
    scatter(session);
    assertThat(session.submit(aJob("large", 3))).isEmpty();

    assertThat(session.at(60).on(new ClusterEvent.TimePassed(Instant.ofEpochSecond(60))))
        .containsExactly("migrate b", "start large");
  }

  @Test
  void othersMoveOnceTheGangsWaitOutweighsTheirPauses() {
    Session session =
        session(
            Policies.bestEffortFifo(),
            PreemptionRules.NONE.moving(1).movePause(Duration.ofSeconds(60)));
    scatter(session);
    assertThat(session.submit(aJob("large", 3))).isEmpty();

    // Two GPUs would stand still for a minute, for three that wait.
    assertThat(session.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(20));
    assertThat(session.at(20).pass()).isEmpty();
    assertThat(session.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(40));
    assertThat(session.at(39).pass()).isEmpty();
    assertThat(session.at(40).pass()).containsExactly("migrate b", "start large");
    assertThat(session.scheduler.nextWakeUp()).isEmpty();
  }

  @Test
  void howLongAJobHasWaitedCountsInPowersOfTwo() {
    Session session =
        new Session(
            LiquidScheduler.builder(Session.cluster(4, 4))
                .policy(Policies.bestEffortFifo())
                .preemption(PreemptionRules.NONE.moving(1).movePause(Duration.ofSeconds(60)))
                .build());
    session.submit(aJob("a", 1));
    session.submit(aJob("filler", 3));
    session.submit(aJob("b", 3));
    session.finish("filler");
    assertThat(session.submit(aJob("large", 4))).isEmpty();

    // Three GPUs would stand still for a minute, for four that wait.
    assertThat(session.at(30).pass()).isEmpty();
    assertThat(session.at(45).pass()).isEmpty();
    assertThat(session.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(60));
    assertThat(session.at(60).pass()).containsExactly("migrate b", "start large");
  }

  @Test
  void theSchedulerWakesForTheFirstJobThatMayMoveOthers() {
    Session session =
        session(
            Policies.bestEffortFifo(),
            PreemptionRules.NONE.moving(1).movePause(Duration.ofSeconds(60)));
    scatter(session);
    session.at(1).submit(aJob("large", 4));
    session.submit(aJob("smaller", 3));

    assertThat(session.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(16));
    session.at(16).pass();
    assertThat(session.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(21));
  }

  @Test
  void theSchedulerWakesForTheStepAtWhichTheMostMovesPay() {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (String id : List.of("n0", "n1")) {
      cluster.node(Node.builder(id).cpu(CpuCores.of(8)).build());
    }
    Session session =
        new Session(
            LiquidScheduler.builder(cluster.build())
                .policy(Policies.bestEffortFifo())
                .preemption(PreemptionRules.NONE.moving(3).movePause(Duration.ofSeconds(60)))
                .build());
    session.submit(ofCores("stays", 5).preemptible(false));
    session.submit(ofCores("filler", 3));
    for (String job : List.of("a", "b", "c")) {
      session.submit(ofCores(job, 1));
    }
    session.finish("filler");
    session.submit(ofCores("whole", 8));

    session.at(120).pass();
    assertThat(session.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(240));
    assertThat(session.at(240).pass()).hasSize(4).last().isEqualTo("start whole");
  }

  @Test
  void noMoreMoveInAnHourThanMay() {
    Session session =
        session(Policies.bestEffortFifo(), PreemptionRules.NONE.moving(1).movesPerHour(1));
    scatter(session);
    session.at(1).submit(aJob("large", 3));
    session.at(60).finish("large");
    session.submit(aJob("c", 2));
    session.finish("a");

    assertThat(session.submit(aJob("next", 3))).isEmpty();
    assertThat(session.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(3601));
    assertThat(session.at(3601).pass()).contains("start next");
  }

  @Test
  void whoHasMovedStaysForAWhile() {
    Session session =
        session(
            Policies.bestEffortFifo(),
            PreemptionRules.NONE.moving(1).restAfterMove(Duration.ofMinutes(15)));
    scatter(session);
    session.at(1).submit(aJob("large", 3));
    session.at(60).finish("large");
    session.submit(aJob("c", 2).preemptible(false));
    session.finish("a");

    assertThat(session.submit(aJob("next", 3))).isEmpty();
    assertThat(session.at(900).pass()).isEmpty();
    assertThat(session.at(901).pass()).containsExactly("migrate b", "start next");
  }

  /** It would rather stop: a move so soon would cost another pause. */
  @Test
  void aPreemptedJobThatHasJustMovedStopsThoughItFitsElsewhere() {
    for (long rest : List.of(900, 60)) {
      Session session =
          session(
              Policies.priority(),
              PreemptionRules.NONE
                  .gracePeriod(Duration.ofSeconds(30))
                  .moving(1)
                  .restAfterMove(Duration.ofSeconds(rest)));
      scatter(session);
      session.submit(aJob("large", 3));
      assertThat(session.nodesOf("b")).isEqualTo(session.nodesOf("a"));
      session.at(61).finish("large");

      assertThat(
              session.submit(
                  aJob("urgent", 2).priority(1).excludeNodes(List.of("n1")).preemptible(false)))
          .isEqualTo(
              rest == 900
                  ? List.of("preempt b", "start urgent")
                  : List.of("migrate b", "start urgent"));
    }
  }

  @Test
  void whoIsPreemptedMovesWhereItFits() {
    Session session = session(Policies.priority(), PreemptionRules.NONE.moving(1));
    session.submit(aJob("a", 2).preemptible(false));
    session.submit(aJob("filler", 2));
    session.submit(aJob("b", 2));
    session.submit(aJob("c", 2));
    session.finish("filler");

    assertThat(session.submit(aJob("urgent", 4).priority(1).preemptible(false)))
        .containsExactly("preempt c", "migrate b", "start urgent");
  }

  @Test
  void reclaimMovesVictimsThatFitElsewhereAndStopsTheOthers() {
    Session session = session(Policies.bestEffortFifo(), PreemptionRules.NONE.moving(4));
    session.on(
        new ClusterEvent.QueuesChanged(
            Instant.EPOCH,
            QueueTree.of(
                QueueSpec.named("default").withGpus(4), QueueSpec.named("other").withGpus(4))));
    scatter(session);
    session.submit(aJob("more", 2));
    session.submit(aJob("c", 1));
    session.finish("more");

    assertThat(session.submit(aJob("large", 4).queue("other")))
        .containsExactly("preempt c", "migrate b", "start large");
  }

  @Test
  void queuesTakeNothingBackWhereTheyNeverReclaim() {
    Session session = session(Policies.bestEffortFifo(), PreemptionRules.NONE);
    session.on(
        new ClusterEvent.QueuesChanged(
            Instant.EPOCH,
            QueueTree.of(QueueSpec.named("default"), QueueSpec.named("other").withGpus(4))
                .with(Reclaiming.NEVER)));
    session.submit(aJob("all", 4));
    session.submit(aJob("rest", 4));

    assertThat(session.submit(aJob("mine", 4).queue("other"))).isEmpty();
    assertThat(session.finish("all")).containsExactly("start mine");
  }

  @Test
  void rulesThatMoveNoJobsNameNoMoves() {
    assertThat(PreemptionRules.NONE.moving(3).parameters()).containsEntry("mostMoves", "3");
    assertThat(PreemptionRules.NONE.parameters()).doesNotContainKey("mostMoves");
  }

  @Test
  void runningJobsMoveForThoseThatAPlanCouldNotStart() {
    Session session =
        new Session(
            LiquidScheduler.builder(Session.cluster(2, 2))
                .policy(Policies.fifo())
                .preemption(PreemptionRules.NONE.moving(1))
                .batch(BatchWindow.of(Duration.ofSeconds(15)))
                .build());
    session.submit(aJob("a", 1));
    session.submit(aJob("b", 1));
    session.at(15).pass();
    session.plan(1, "a on n0 0", "b on n1 0");
    session.at(20).submit(aJob("whole", 2));
    session.at(35).pass();

    assertThat(session.plan(2)).containsExactly("migrate b", "start whole");
  }

  /** Returns a job of one task. */
  private static JobSpec.Builder aJob(String id, int gpus) {
    return JobSpec.builder(id).role("worker", 1, ResourceRequest.ofGpus(gpus));
  }

  /** Returns a job of one task without GPUs. */
  private static JobSpec.Builder ofCores(String id, int cores) {
    return JobSpec.builder(id)
        .role("worker", 1, ResourceRequest.builder().cpu(CpuCores.of(cores)).build());
  }

  private static Session session(SchedulingPolicy policy, PreemptionRules rules) {
    return session(policy, rules, Session.cluster(4, 4));
  }

  private static Session session(
      SchedulingPolicy policy, PreemptionRules rules, ClusterTopology cluster) {
    return new Session(LiquidScheduler.builder(cluster).policy(policy).preemption(rules).build());
  }

  private static Session restored(Session session, SchedulingPolicy policy) {
    return new Session(
        LiquidScheduler.builder(Session.cluster(4, 4))
            .policy(policy)
            .preemption(PreemptionRules.NONE.moving(1))
            .restore(session.scheduler.snapshot()));
  }

  private static Session scattered(SchedulingPolicy policy, int moves) {
    Session session = session(policy, PreemptionRules.NONE.moving(moves));
    scatter(session);
    return session;
  }

  private static void scatter(Session session) {
    session.submit(aJob("a", 2));
    session.submit(aJob("filler", 2));
    session.submit(aJob("b", 2));
    session.finish("filler");
  }

  /** Returns a session in which two jobs of one GPU are on each node. */
  private static Session ofOne(int moves) {
    Session session = session(Policies.bestEffortFifo(), PreemptionRules.NONE.moving(moves));
    for (String job : new String[] {"a", "b", "x", "y", "c", "d"}) {
      session.submit(aJob(job, 1));
    }
    session.finish("x");
    session.finish("y");
    return session;
  }
}
