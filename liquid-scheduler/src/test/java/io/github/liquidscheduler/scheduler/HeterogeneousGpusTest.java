package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJobOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.performance.GpuSpeedTable;
import io.github.liquidscheduler.scheduler.performance.Performance;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.scheduling.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Jobs that are ten times, or twice, as fast on a V100 as on a K80. */
class HeterogeneousGpusTest {

  private static final GpuModel V100 = GpuModel.of("V100");
  private static final GpuModel K80 = GpuModel.of("K80");
  private static final GpuSpeedTable SPEEDS =
      GpuSpeedTable.builder()
          .speed("tenfold", V100, 10)
          .speed("tenfold", K80, 1)
          .speed("twice", V100, 2)
          .speed("twice", K80, 1)
          .build();
  private static final Performance STAYING = Performance.by(SPEEDS);

  @Test
  void aJobStartsOnTheModelOnWhichItIsFastestWhateverItPrefers() {
    Session session = session(Policies.fifo(), 1, 1, STAYING);

    session.submit(job("a", "tenfold", 100).gpuModels(List.of(K80, V100)));

    assertThat(session.nodesOf("a")).containsExactly("v");
    assertThat(why(session)).isEqualTo(new Reason.ScheduledOn("fifo", 0, V100, 10, K80));
  }

  @Test
  void theListOfAJobSaysWhichModelsAreAllowed() {
    Session session = session(Policies.fifo(), 1, 1, STAYING);

    session.submit(job("a", "tenfold", 100).gpuModels(List.of(K80)));

    assertThat(session.nodesOf("a")).containsExactly("k");
    assertThat(why(session)).isEqualTo(new Reason.Scheduled("fifo", 0));
  }

  @Test
  void aJobOfWhichNothingIsKnownIsPlacedAsEver() {
    Session session = session(Policies.fifo(), 1, 1, STAYING);

    session.submit(job("a", "unknown", 100).gpuModels(List.of(K80, V100)));

    assertThat(session.nodesOf("a")).containsExactly("k");
    assertThat(session.entry("a").expectedEnd(Instant.EPOCH)).contains(second(100));
  }

  @Test
  void fastGpusAreLeftToAJobThatGainsMoreByThemAndStartsAtOnce() {
    Session session = session(Policies.fifo(), 1, 1, STAYING);
    session.lose("v");
    session.lose("k");
    session.submit(job("a", "twice", 100));
    session.submit(job("b", "tenfold", 100));
    session.giveBack("k");
    assertThat(session.nodesOf("a")).containsExactly("k");
    session.finish("a");
    session.at(10).submit(job("c", "twice", 100));

    assertThat(session.giveBack("v")).containsExactly("start c");
    assertThat(session.nodesOf("b")).containsExactly("k");
  }

  @Test
  void ofTwoThatStartAtOnceTheOneThatGainsMoreGetsTheFastGpu() {
    ClusterTopology one =
        ClusterTopology.builder()
            .node(
                Node.builder("n")
                    .gpus(1, V100, Memory.ofGib(16))
                    .gpus(1, K80, Memory.ofGib(12))
                    .build())
            .build();
    Session session =
        new Session(
            LiquidScheduler.builder(one).policy(Policies.fifo()).performance(SPEEDS).build());
    session.lose("n");
    session.submit(job("a", "twice", 100));
    session.submit(job("b", "tenfold", 100));

    assertThat(session.giveBack("n")).containsExactly("start a", "start b");
    assertThat(session.last().stream().map(Decision::why))
        .containsExactly(
            new Reason.ScheduledOn("fifo", 0, K80, 0.5, V100),
            new Reason.ScheduledOn("fifo", 0, V100, 10, K80));
  }

  @Test
  void aJobIsExpectedToEndWhenItsWorkIsDoneAtTheSpeedItHas() {
    Session session = session(Policies.fifo(), 0, 1, STAYING, V100);

    session.submit(job("a", "tenfold", 100));

    assertThat(session.entry("a").expectedEnd(Instant.EPOCH)).contains(second(1000));
    assertThat(session.entry("a").at(second(500)).remaining()).contains(Duration.ofSeconds(50));
    assertThat(session.entry("a").at(second(500)).executed()).isEqualTo(Duration.ofSeconds(500));
    assertThat(session.entry("a").at(second(500)).attained())
        .as("in time on GPUs of mean speed, .55")
        .isCloseTo(Duration.ofMillis(90_909), Duration.ofMillis(1));
    assertThat(session.entry("a").at(second(500)).gpuSpeed()).isEqualTo(0.1, within(1e-12));
  }

  @Test
  void whatAJobReportsOfTheTimeItStillNeedsIsMeantWhereItRuns() {
    Session session = session(Policies.fifo(), 0, 1, STAYING, V100);
    session.submit(job("a", "tenfold", 100));

    session.at(100).remaining("a", 300);

    assertThat(session.entry("a").expectedEnd(second(100))).contains(second(400));
    assertThat(session.entry("a").at(second(100)).remaining()).contains(Duration.ofSeconds(30));
  }

  @Test
  void srtfRanksByRemainingWorkNotWallClockTimeOnSlowGpus() {
    Session session = session(Policies.shortestRemainingTimeFirst(), 0, 1, STAYING, V100);
    session.submit(job("a", "tenfold", 100));

    assertThat(session.at(500).submit(job("b", "tenfold", 60))).isEmpty();
    assertThat(session.at(510).submit(job("c", "tenfold", 40)))
        .containsExactly("preempt a", "start c");
    assertThat(session.record("a").remaining()).contains(Duration.ofSeconds(49));
  }

  @Test
  void attainedServiceIsWorkSoAJobOnSlowGpusKeepsItsLevelForLonger() {
    SchedulingPolicy las = Policies.leastAttainedService(List.of(Duration.ofSeconds(100)));
    Session session = session(las, 0, 1, STAYING, V100);
    session.submit(job("a", "tenfold", 10_000));
    session.submit(job("b", "tenfold", 10_000));

    assertThat(session.at(549).pass()).isEmpty();
    assertThat(session.at(551).pass()).containsExactly("preempt a", "start b");
  }

  @Test
  void nobodyMovesWhereHeIsSlowerSoThatHeDelaysAReservation() {
    Session session =
        new Session(
            LiquidScheduler.builder(cluster(1, 2, V100))
                .policy(Policies.priority())
                .performance(SPEEDS)
                .backfill(Backfill.easy())
                .preemption(PreemptionRules.NONE.moving(1))
                .build());
    session.submit(job("a", "tenfold", 50));
    session.submit(aJobOf("b", 1, 60).preemptible(false));
    session.submit(aJobOf("wide", 2, 10).priority(1).gpuModels(List.of(K80)));
    assertThat(session.scheduler.reservedStart(JobId.of("wide"))).contains(second(60));
    session.on(
        new ClusterEvent.NodeDraining(session.now(), NodeId.of("v"), Optional.of(second(30))));

    // It would end at 50 where it is, and at 230 on the free GPU.
    assertThat(session.at(30).pass()).containsExactly("preempt a");
    assertThat(session.scheduler.reservedStart(JobId.of("wide"))).contains(second(60));
  }

  @Test
  void theFirstWaitingJobIsReservedAPlaceForWhenTheWorkIsDone() {
    Session session =
        new Session(
            LiquidScheduler.builder(cluster(0, 1, V100))
                .policy(Policies.fifo())
                .performance(SPEEDS)
                .backfill(Backfill.easy())
                .build());
    session.lose("v");
    session.submit(job("a", "tenfold", 100));
    session.submit(job("b", "tenfold", 100));

    assertThat(session.scheduler.reservedStart(JobId.of("b"))).contains(second(1000));
  }

  @Test
  void aPlanIsAskedForWithTheSpeedsOfTheJobsToPlace() {
    Session session =
        new Session(
            LiquidScheduler.builder(cluster(1, 1, V100))
                .policy(Policies.fifo())
                .performance(SPEEDS)
                .batch(BatchWindow.of(Duration.ZERO))
                .build());
    session.submit(job("a", "tenfold", 100).gpuModels(List.of(K80, V100)));

    assertThat(session.last().getLast())
        .isInstanceOfSatisfying(
            Decision.RequestPlan.class,
            asked ->
                assertThat(asked.request().gpuSpeeds(JobId.of("a")))
                    .isEqualTo(Map.of(V100, 1.0, K80, .1)));
  }

  @Test
  void speedsThatAJobReportsOnTwoModelsCorrectWhatIsPredicted() {
    Session session = session(Policies.fifo(), 1, 1, STAYING);
    session.submit(job("a", "tenfold", 100));
    session.at(10).progress("a", Progress.of(10, 3));
    session.at(20).lose("v");
    assertThat(session.nodesOf("a")).containsExactly("k");
    session.at(30).progress("a", Progress.of(20, 6));
    session.at(40).giveBack("v");

    session.at(50).lose("k");

    assertThat(why(session)).isEqualTo(new Reason.ScheduledOn("fifo", 0, V100, 0.5, K80));
  }

  @Test
  void aRunningJobMovesToAFasterGpuThatNobodyWaitsFor() {
    Session session = session(Policies.fifo(), 1, 1, STAYING.moving(Duration.ofSeconds(10)));
    session.submit(job("a", "tenfold", 1000));
    session.submit(job("b", "tenfold", 1000));

    assertThat(session.at(500).finish("a")).containsExactly("migrate b");
    assertThat(why(session)).isEqualTo(new Reason.NetGain(9500 - 950, 10));
    assertThat(session.entry("b").expectedEnd(second(500))).contains(second(1450));
  }

  @Test
  void aMoveHasToSaveTenTimesWhatItCosts() {
    Session session = session(Policies.fifo(), 1, 1, STAYING.moving(Duration.ofSeconds(100)));
    session.submit(job("a", "tenfold", 1000));
    session.submit(job("b", "twice", 1000));

    assertThat(session.at(1002).finish("a")).isEmpty();
  }

  @Test
  void twoJobsTradePlacesIfTheyEndSoonerOnAverage() {
    Session session = session(Policies.fifo(), 1, 1, STAYING.moving(Duration.ofSeconds(1)));
    session.submit(job("a", "twice", 1000));
    session.submit(job("b", "tenfold", 1000));

    assertThat(session.at(20).pass()).containsExactly("preempt a", "migrate b", "start a");

    assertThat(session.nodesOf("a")).containsExactly("k");
    assertThat(session.nodesOf("b")).containsExactly("v");
    assertThat(session.at(25).pass()).isEmpty();
  }

  @Test
  void nobodyStopsForATradeWhoIsHeldAndWouldNotStartAgain() {
    Session session = session(Policies.fifo(), 1, 1, STAYING.moving(Duration.ofSeconds(1)));
    session.submit(job("a", "twice", 1000));
    session.submit(job("b", "tenfold", 1000));

    session.on(new ClusterEvent.JobHeld(session.now(), JobId.of("a"), "busy"));

    assertThat(session.at(20).pass()).isEmpty();
  }

  @Test
  void nobodyMovesIfThatDelaysThoseWhoWaitByMoreThanItSaves() {
    // The others need a whole node, which is free in 100 s, or in 950 s if b goes there.
    for (int waiting : List.of(1, 12)) {
      Session session = session(Policies.fifo(), 3, 1, STAYING.moving(Duration.ofSeconds(1)));
      session.submit(Session.aJob("large", 3).gpuModels(List.of(V100)));
      session.submit(job("b", "tenfold", 1000));
      session.submit(aJobOf("next", 2, 100).gpuModels(List.of(V100)));
      for (int i = 0; i < waiting; i++) {
        session.submit(Session.aJob("wide" + i, 3).gpuModels(List.of(V100)));
      }

      List<String> decisions = session.at(500).finish("large");

      assertThat(decisions)
          .containsExactlyElementsOf(
              waiting == 1 ? List.of("start next", "migrate b") : List.of("start next"));
    }
  }

  @Test
  void aShortJobGetsTheFastGpuOfALongOneOnlyWhileNobodyWaitsForIt() {
    for (boolean othersWait : List.of(false, true)) {
      Session session = session(Policies.fifo(), 1, 1, STAYING.moving(Duration.ofSeconds(1)));
      session.submit(job("long", "twice", 10_000));
      session.submit(job("short", "twice", 1000));
      if (othersWait) {
        session.submit(job("other", "twice", 1000));
      }

      assertThat(session.at(20).pass())
          .containsExactlyElementsOf(
              othersWait ? List.of() : List.of("preempt long", "migrate short", "start long"));
    }
  }

  @Test
  void whoHasJustStartedIsNotPreemptedOnceOthersHaveMoved() {
    Session session =
        session(Policies.named("priority"), 1, 2, STAYING.moving(Duration.ofSeconds(1)));
    session.submit(job("large", "tenfold", 1000).priority(2));
    session.submit(job("b", "tenfold", 1000).priority(2));
    session.submit(Session.aJob("wide", 2).gpuModels(List.of(K80)).priority(1));
    session.remaining("b", 5);
    assertThat(session.finish("large")).isEmpty();
    assertThat(session.remaining("b", 1000)).isEmpty();

    session.stepByStep();
    assertThat(session.at(20).submit(Session.aJob("x", 1).gpuModels(List.of(K80))))
        .containsExactly("start x", "migrate b");
    assertThat(session.scheduler.nextWakeUp()).contains(session.now().plusNanos(1));
    assertThat(session.pass()).isEmpty();
    assertThat(session.passNext()).containsExactly("preempt x", "start wide");
  }

  @Test
  void nobodyMovesWhoMustNotBePreempted() {
    Session session = session(Policies.fifo(), 1, 1, STAYING.moving(Duration.ofSeconds(1)));
    session.submit(job("a", "twice", 1000).preemptible(false));
    session.submit(job("b", "tenfold", 1000));

    assertThat(session.at(20).pass()).isEmpty();
  }

  private static Session session(
      SchedulingPolicy policy, int v100, int k80, Performance performance) {
    return session(policy, v100, k80, performance, V100);
  }

  /** Returns a session in which the cluster knows the fast model even if it is lost. */
  private static Session session(
      SchedulingPolicy policy, int v100, int k80, Performance performance, GpuModel known) {
    Session session =
        new Session(
            LiquidScheduler.builder(cluster(v100, k80, known))
                .policy(policy)
                .performance(performance)
                .build());
    if (v100 == 0) {
      session.lose("v");
    }
    return session;
  }

  private static ClusterTopology cluster(int v100, int k80, GpuModel fast) {
    return ClusterTopology.builder()
        .node(Node.builder("v").gpus(Math.max(1, v100), fast, Memory.ofGib(16)).build())
        .node(Node.builder("k").gpus(k80, K80, Memory.ofGib(12)).build())
        .build();
  }

  private static JobSpec.Builder job(String id, String family, long seconds) {
    return aJobOf(id, 1, seconds).workload(Workload.builder(family).build());
  }

  private static Reason why(Session session) {
    return session.last().getLast().why();
  }

  private static Instant second(long second) {
    return Instant.ofEpochSecond(second);
  }
}
