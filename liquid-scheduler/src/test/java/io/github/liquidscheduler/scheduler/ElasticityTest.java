package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static io.github.liquidscheduler.scheduler.Session.aJobOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.prediction.PerformancePredictor;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.ResizeStep;
import io.github.liquidscheduler.scheduling.SizeSpeed;
import io.github.liquidscheduler.scheduling.StaleEventException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ElasticityTest {

  private static Elasticity.Builder byGain() {
    return Elasticity.by(SizingPolicy.marginalGain());
  }

  private static JobSpec.Builder elastic(String id, int min, int preferred, int max) {
    return aJob(id, preferred).parallelism(Parallelism.between(min, preferred, max));
  }

  private static Session session(
      SchedulingPolicy policy, Elasticity.Builder elasticity, int... gpusOfNodes) {
    return new Session(
        LiquidScheduler.builder(Session.cluster(gpusOfNodes))
            .policy(policy)
            .elasticity(elasticity.build())
            .build());
  }

  private static Session session(int... gpusOfNodes) {
    return session(Policies.bestEffortFifo(), byGain(), gpusOfNodes);
  }

  private static ClusterEvent reported(long second, String job, long number, ResizeStep step) {
    return new ClusterEvent.ResizeReported(
        Instant.ofEpochSecond(second), JobId.of(job), number, step);
  }

  private static int freeGpus(Session session) {
    return session.scheduler.view().topology().nodes().stream()
        .mapToInt(node -> session.scheduler.view().freeGpus(node.id()))
        .sum();
  }

  @Test
  void aJobGetsLargerWhenItHasKeptItsSizeForTheCoolDown() {
    Session session = session(8);
    session.submit(elastic("e", 1, 2, 6));

    assertThat(session.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(60));
    assertThat(session.at(59).pass()).isEmpty();
    assertThat(session.at(60).pass()).containsExactly("resize e to 6");
    assertThat(session.last())
        .first()
        .extracting(decision -> ((Decision.Resize) decision).why())
        .isEqualTo(new Reason.NetGain(60 * (1 - 2.0 / 6), 2.5));
  }

  @Test
  void untilItHasSwitchedItHoldsAllItsGpusAndRunsWhereItDid() {
    Session session = session(8);
    session.submit(elastic("e", 1, 2, 6));
    session.at(60).pass();

    assertThat(freeGpus(session)).isEqualTo(2);
    assertThat(session.scheduler.status(JobId.of("e")))
        .hasValueSatisfying(
            status -> {
              JobStatus.Resizing resizing = (JobStatus.Resizing) status;
              assertThat(resizing.placement().gpus()).isEqualTo(2);
              assertThat(resizing.next().gpus()).isEqualTo(6);
            });
    session.on(reported(70, "e", 1, ResizeStep.READY));
    assertThat(session.on(reported(71, "e", 1, ResizeStep.SWITCHED))).isEmpty();
    assertThat(session.scheduler.status(JobId.of("e")))
        .hasValueSatisfying(status -> assertThat(status).isInstanceOf(JobStatus.Running.class));
  }

  @Test
  void aFailedGrowthKeepsTheOldSizeAndIsRetriedAfterTheCoolDown() {
    for (ResizeStep step : List.of(ResizeStep.FAILED, ResizeStep.RETRY, ResizeStep.TIMED_OUT)) {
      Session session = session(8);
      session.submit(elastic("e", 1, 2, 6));
      session.at(60).pass();

      assertThat(session.on(reported(70, "e", 1, step))).isEmpty();

      assertThat(freeGpus(session)).isEqualTo(6);
      assertThat(session.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(130));
      assertThat(session.at(130).pass()).containsExactly("resize e to 6");
    }
  }

  @Test
  void aWaitingJobStartsOnTheGpusOfAGrowthThatFailed() {
    for (ResizeStep step : List.of(ResizeStep.FAILED, ResizeStep.RETRY, ResizeStep.TIMED_OUT)) {
      Session session = session(8);
      session.submit(elastic("e", 1, 2, 8));
      session.at(60).pass();
      session.on(reported(61, "e", 1, ResizeStep.READY));
      assertThat(session.at(62).submit("w", 5)).isEmpty();

      assertThat(session.on(reported(63, "e", 1, step))).containsExactly("start w");
    }
  }

  @Test
  void jobsThatGainAlikeShareWhatIsFree() {
    Session session = session(8);
    session.submit(elastic("e", 1, 2, 6));
    session.submit(elastic("f", 1, 2, 6));

    assertThat(session.at(60).pass()).containsExactly("resize e to 4", "resize f to 4");
  }

  @Test
  void surplusGoesToArrivingJobs() {
    Session session = session(8);
    session.submit(elastic("e", 1, 2, 8));
    session.at(60).pass();
    session.on(reported(61, "e", 1, ResizeStep.SWITCHED));

    List<String> decisions = session.at(200).submit("w", 5);

    assertThat(decisions).containsExactly("resize e to 3", "start w");
    Decision.Start start = (Decision.Start) session.last().getLast();
    assertThat(start.after()).containsExactly(JobId.of("e"));
    assertThat(((Decision.Resize) session.last().getFirst()).why())
        .isEqualTo(new Reason.MadeSmaller(JobId.of("w")));
    assertThat(session.on(reported(203, "e", 2, ResizeStep.SWITCHED))).isEmpty();
    assertThat(freeGpus(session)).isEqualTo(0);
  }

  @Test
  void aJobGivesNoMoreOfItsSurplusThanIsNeeded() {
    Session session = session(8);
    session.submit(elastic("e", 1, 2, 8));
    session.at(60).pass();
    session.on(reported(61, "e", 1, ResizeStep.SWITCHED));

    assertThat(session.at(200).submit("w", 1)).containsExactly("resize e to 7", "start w");
  }

  @Test
  void aJobOfLowerPriorityGetsSmallerInsteadOfStopping() {
    Session session = session(Policies.priority(), byGain(), 8);
    session.submit(elastic("e", 1, 8, 8));

    assertThat(session.at(200).submit(aJob("high", 1).priority(9)))
        .containsExactly("resize e to 7", "start high");
  }

  @Test
  void aJobOfLowerPriorityGetsAsSmallAsAllThatStartInATurnNeed() {
    Session session =
        new Session(
            LiquidScheduler.builder(Session.cluster(8))
                .policy(Policies.priority())
                .preemption(PreemptionRules.NONE.minRunTime(Duration.ofSeconds(100)))
                .elasticity(byGain().build())
                .build());
    session.submit(elastic("e", 1, 8, 8));
    session.at(10).submit(aJob("first", 1).priority(5));
    session.submit(aJob("second", 2).priority(5));

    assertThat(session.at(100).pass())
        .containsExactly("resize e to 7", "start first", "resize e to 5", "start second");
  }

  @Test
  void whoComesWaitsWhileTheSizeIsKept() {
    Session session = session(8);
    session.submit(elastic("e", 1, 2, 8));
    session.at(60).pass();
    session.on(reported(61, "e", 1, ResizeStep.SWITCHED));

    assertThat(session.at(62).submit("w", 5)).isEmpty();

    assertThat(session.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(121));
    assertThat(session.at(121).pass()).containsExactly("resize e to 3", "start w");
  }

  @Test
  void surplusStartsAllJobsThatItSufficesForInOneTurn() {
    Session session = session(8);
    session.submit(elastic("e", 1, 2, 8));
    session.at(60).pass();
    session.on(reported(61, "e", 1, ResizeStep.SWITCHED));
    session.at(62).submit("v", 3);
    session.submit("w", 3);

    assertThat(session.at(121).pass())
        .containsExactly("resize e to 5", "start v", "resize e to 2", "start w");
  }

  @Test
  void aJobThatHasNotSwitchedYetGoesBackForWhoComes() {
    Session session = session(8);
    session.submit(elastic("e", 1, 2, 8));
    session.at(60).pass();

    assertThat(session.at(61).submit("w", 5)).containsExactly("resize e to 2", "start w");

    assertThatThrownBy(() -> session.on(reported(62, "e", 1, ResizeStep.SWITCHED)))
        .isInstanceOf(StaleEventException.class)
        .hasMessageContaining("number 1");
    session.on(reported(63, "e", 2, ResizeStep.SWITCHED));
    assertThat(freeGpus(session)).isEqualTo(1);
  }

  @Test
  void aJobThatGoesBackForOneGivesMoreForTheNext() {
    Session session = session(Policies.bestEffortFifo(), byGain().pendingLimit(1), 7, 6);
    session.submit("a", 4);
    session.submit("b", 2);
    session.submit(elastic("e", 1, 2, 6));
    assertThat(session.at(60).pass()).containsExactly("resize e to 6");

    assertThat(session.at(61).on(new ClusterEvent.NodeLost(session.now(), NodeId.of("n1"))))
        .containsSubsequence("resize e to 2", "start a", "resize e to 1", "start b");
  }

  @Test
  void aJobThatIsReadyToSwitchDoesNotGoBack() {
    Session session = session(8);
    session.submit(elastic("e", 1, 2, 8));
    session.at(60).pass();
    session.on(reported(61, "e", 1, ResizeStep.READY));

    assertThat(session.at(62).submit("w", 5)).isEmpty();
  }

  @Test
  void jobsThatLeftTheFirstQueueGiveUpMoreWhenManyWait() {
    Session session =
        session(
            Policies.leastAttainedService(List.of(Duration.ofSeconds(100))),
            Elasticity.by(SizingPolicy.elasticTiresias()).pendingLimit(1),
            8);
    session.submit(elastic("e", 1, 4, 8).preemptible(false));
    session.submit(aJob("f", 4).preemptible(false));
    assertThat(session.at(60).submit("a", 5)).isEmpty();

    assertThat(session.at(70).submit("b", 2)).containsExactly("resize e to 2", "start b");
  }

  @Test
  void aJobThatGetsSmallerMustLeave() {
    Session session = session(8);
    session.submit(elastic("e", 1, 2, 8));
    session.at(60).pass();
    session.on(reported(61, "e", 1, ResizeStep.SWITCHED));
    session.at(200).submit("w", 5);

    assertThatThrownBy(() -> session.on(reported(201, "e", 2, ResizeStep.FAILED)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must leave");
    assertThat(session.on(reported(201, "e", 2, ResizeStep.RETRY))).isEmpty();
    assertThat(session.scheduler.status(JobId.of("e")).orElseThrow())
        .isInstanceOf(JobStatus.Resizing.class);
  }

  @Test
  void reportsOfWhatWasNotDecidedAreRefused() {
    Session session = session(8);
    session.submit(elastic("e", 1, 2, 8));

    assertThatThrownBy(() -> session.on(reported(1, "e", 1, ResizeStep.SWITCHED)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must have been decided");
  }

  @Test
  void newWorkersGoOnTheNodeOfTheOthersFirst() {
    Session session = session(4, 4);
    session.submit("other", 1);
    session.submit(elastic("e", 1, 2, 4));
    assertThat(session.scheduler.view().placement(JobId.of("e")).orElseThrow().nodes())
        .containsExactly(NodeId.of("n0"));
    session.finish("other");

    assertThat(session.at(60).pass()).containsExactly("resize e to 4");

    assertThat(session.scheduler.view().placement(JobId.of("e")).orElseThrow().nodes())
        .containsExactly(NodeId.of("n0"));
  }

  @Test
  void aJobDoesNotGetLargerIfItIsNearlyDone() {
    Session session = session(8);
    session.submit(aJobOf("e", 2, 80).parallelism(Parallelism.between(1, 2, 6)));

    assertThat(session.at(60).pass()).isEmpty();
  }

  @Test
  void aJobDoesNotGetLargerIfThatCostsMoreThanItSaves() {
    Session session =
        session(Policies.bestEffortFifo(), byGain().cost(ResizeCost.STOP_RESUME).worthwhile(0), 8);
    session.submit(elastic("e", 1, 4, 5));

    assertThat(session.at(100).pass()).isEmpty();
    assertThat(session.at(400).pass()).containsExactly("resize e to 5");
  }

  @Test
  void aJobDoesNotGetLargerOntoAnotherNodeIfItIsSlowerThere() {
    Session session =
        session(Policies.bestEffortFifo(), byGain().predictor(acrossNodes(0.5)), 4, 4);
    session.submit(aJob("a", 2));
    session.submit(elastic("e", 1, 2, 4));

    assertThat(session.at(60).pass()).isEmpty();
  }

  @Test
  void aJobGrowsOntoAnotherNodeIfStillFaster() {
    Session session =
        session(Policies.bestEffortFifo(), byGain().predictor(acrossNodes(0.9)), 4, 4);
    session.submit(aJob("a", 2));
    session.submit(elastic("e", 1, 2, 4));

    assertThat(session.at(60).pass()).containsExactly("resize e to 4");
    assertThat(session.last())
        .first()
        .extracting(decision -> ((Decision.Resize) decision).why())
        .isEqualTo(new Reason.NetGain(60 * (1 - 2 / (4 * 0.9)), 2.5));
  }

  /** Speed in proportion to the GPUs, of which so much is left over several nodes. */
  private static PerformancePredictor acrossNodes(double retained) {
    return new PerformancePredictor() {
      @Override
      public Prediction throughput(JobSpec job, GpuModel gpu, int gpus, String widestLevel) {
        boolean isAcross = !widestLevel.equals(ClusterTopology.NODE);
        return Prediction.certain(isAcross ? gpus * retained : gpus, Provenance.MEASURED);
      }

      @Override
      public void observe(
          JobSpec job, GpuModel gpu, int gpus, String widestLevel, double iterationsPerSecond) {
        throw new AssertionError("the scheduler only asks");
      }
    };
  }

  @Test
  void aJobIsAskedOnceHowFastItIsAtItsSmallerSizes() {
    Session session = profiledSession();

    assertThat(session.at(60).pass())
        .containsExactly("profile e at [12, 6, 3, 1]", "profile f at [4, 3, 2]");
    assertThat(session.at(100).finish("f")).isEmpty();
  }

  @Test
  void aJobGrowsAfterItToldThatGpusMakeItFaster() {
    Session session = profiledSession();
    session.at(60).pass();
    session.at(100).finish("f");

    assertThat(session.on(profiled(new SizeSpeed(12, 24), new SizeSpeed(1, 2))))
        .containsExactly("resize e to 16");
  }

  @Test
  void aJobThatToldThatGpusHardlyMakeItFasterKeepsItsSize() {
    Session session = profiledSession();
    session.at(60).pass();
    session.at(100).finish("f");

    assertThat(session.on(profiled(new SizeSpeed(12, 6.001), new SizeSpeed(1, 6)))).isEmpty();
  }

  @Test
  void aJobWhoseSpeedHasLeftWhatWasMeasuredIsProfiledAgain() {
    Session session = driftingSession();
    session.at(100).progress("e", Progress.of(1, 8));
    session.at(110).progress("e", Progress.of(2, 5));
    session.at(120).progress("e", Progress.of(3, 5));

    assertThat(session.at(130).progress("e", Progress.of(4, 5)))
        .containsExactly("profile e at [8, 7, 6, 5, 4, 3, 2]");
    assertThat(session.last().getFirst())
        .isInstanceOfSatisfying(
            Decision.Profile.class,
            profile ->
                assertThat(profile.why().describe())
                    .isEqualTo(
                        "reports 5.00 iterations per second on 8 tasks, where 8.00 were measured"));
  }

  @Test
  void oneSlowReportSaysNothing() {
    Session session = driftingSession();
    for (int second = 100; second < 400; second += 30) {
      session.at(second).progress("e", Progress.of(1, 8));
      session.at(second + 10).progress("e", Progress.of(1, 5));
      assertThat(session.at(second + 20).progress("e", Progress.of(1, 5))).isEmpty();
    }
  }

  @Test
  void aJobIsProfiledAgainNoMoreOftenThanItMayBe() {
    Session session = driftingSession();
    session.at(100).progress("e", Progress.of(1, 8));
    drift(session, 110, 5);
    session.on(
        new ClusterEvent.JobProfiled(
            Instant.ofEpochSecond(150), JobId.of("e"), List.of(new SizeSpeed(8, 5))));

    assertThat(drift(session, 200, 2)).isEmpty();
    assertThat(session.at(3711).progress("e", Progress.of(1, 2))).isEmpty();
    assertThat(session.at(3712).progress("e", Progress.of(1, 2)))
        .containsExactly("profile e at [8, 7, 6, 5, 4, 3, 2]");
  }

  /** Reports a speed three times, and returns what follows the last. */
  private static List<String> drift(Session session, int second, double speed) {
    session.at(second).progress("e", Progress.of(1, speed));
    session.at(second + 1).progress("e", Progress.of(1, speed));
    return session.at(second + 2).progress("e", Progress.of(1, speed));
  }

  private static Session driftingSession() {
    Session session =
        session(Policies.bestEffortFifo(), byGain().profileAgain(.2, Duration.ofHours(1)), 8);
    session.submit(elastic("e", 2, 8, 8));
    return session;
  }

  private static Session profiledSession() {
    Session session = session(Policies.bestEffortFifo(), byGain().profileJobs(), 16);
    session.submit(elastic("e", 1, 12, 16));
    session.submit(elastic("f", 2, 4, 8));
    return session;
  }

  private static ClusterEvent profiled(SizeSpeed... speeds) {
    return new ClusterEvent.JobProfiled(Instant.ofEpochSecond(101), JobId.of("e"), List.of(speeds));
  }

  @Test
  void aJobStartsOnWhatOneGivesUpAndAnotherIsPreemptedFor() {
    Session session = session(Policies.priority(), byGain(), 6);
    session.submit(elastic("e", 1, 2, 4).priority(5));
    session.submit(aJob("low", 2).priority(0));
    session.at(60).pass();
    session.on(reported(61, "e", 1, ResizeStep.READY));
    session.on(reported(62, "e", 1, ResizeStep.SWITCHED));

    assertThat(session.at(200).submit(aJob("c", 4).priority(3)))
        .containsExactly("resize e to 2", "preempt low", "start c");
  }

  @Test
  void whereTooManyWaitTheFirstInTurnStartsOnWhatOthersGiveUp() {
    Session session = session(Policies.priority(), byGain().pendingLimit(1), 2);
    session.submit(elastic("e", 1, 2, 2).priority(5));
    session.submit(aJob("first", 1).priority(3));

    assertThat(session.at(60).submit(aJob("second", 1).priority(1)))
        .containsExactly("resize e to 1", "start first");
  }

  @Test
  void onlyWhoWasAskedTellsHowFastItIs() {
    Session session = session(Policies.bestEffortFifo(), byGain().profileJobs(), 8);
    session.submit(elastic("e", 1, 4, 8));
    List<SizeSpeed> speeds = List.of(new SizeSpeed(9, 1));
    ClusterEvent tells =
        new ClusterEvent.JobProfiled(Instant.ofEpochSecond(60), JobId.of("e"), speeds);

    assertThatThrownBy(() -> session.on(tells)).isInstanceOf(StaleEventException.class);
    session.at(60).pass();
    assertThatThrownBy(() -> session.on(tells))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("but is of 9");
  }

  @Test
  void whatAChangeCostsIsLearnedFromWhatItTook() {
    Session session = session(8);
    session.submit(elastic("e", 1, 2, 3));
    session.at(60).pass();
    session.on(
        new ClusterEvent.ResizeReported(
            Instant.ofEpochSecond(65),
            JobId.of("e"),
            1,
            ResizeStep.SWITCHED,
            Optional.of(Duration.ofSeconds(20))));
    session.at(65).submit(elastic("f", 1, 2, 4));

    // 20 s instead of 2.5 s, ten times which f has to have run.
    assertThat(session.at(264).pass()).isEmpty();
    assertThat(session.at(265).pass()).containsExactly("resize f to 4");
    assertThat(session.last())
        .first()
        .extracting(decision -> ((Decision.Resize) decision).why())
        .isEqualTo(new Reason.NetGain(100, 20));
  }

  @Test
  void whoGainsMostGetsTheGpusByTheSpeedsThatWereSeen() {
    Session session = session(Policies.bestEffortFifo(), byGain(), 8);
    session.submit(elastic("slow", 1, 2, 4));
    session.submit(elastic("fast", 1, 2, 4));
    session.submit("other", 4);
    session.progress("slow", Progress.of(10, 10));
    session.progress("fast", Progress.of(10, 10));
    session.at(10).finish("other");
    session.at(60).pass();
    session.on(reported(61, "slow", 1, ResizeStep.SWITCHED));
    session.on(reported(61, "fast", 1, ResizeStep.SWITCHED));
    session.at(62).progress("slow", Progress.of(100, 11));
    session.at(62).progress("fast", Progress.of(100, 18));
    session.at(130).submit("w", 4);
    session.on(reported(131, "slow", 2, ResizeStep.SWITCHED));
    session.on(reported(131, "fast", 2, ResizeStep.SWITCHED));
    session.at(132).submit("x", 1);
    session.at(200).cancel("x");

    assertThat(session.at(201).finish("w")).containsExactly("resize fast to 4", "resize slow to 4");
  }

  @Test
  void theTimeStillNeededIsThatAtTheNewSize() {
    Session session = session(8);
    session.submit(aJobOf("e", 2, 1000).parallelism(Parallelism.between(1, 2, 4)));
    session.at(60).progress("e", Progress.of(60, 1).withRemaining(Duration.ofMinutes(15)));
    session.on(reported(70, "e", 1, ResizeStep.SWITCHED));
    session.at(70).submit("w", 8);

    assertThat(session.scheduler.explain(JobId.of("w")).remedies().toString())
        .contains("1970-01-01T00:08:35Z");
  }

  @Test
  void attainedServiceCountsTheGpusThatWereHeld() {
    Session session =
        session(Policies.leastAttainedService(List.of(Duration.ofMinutes(5))), byGain(), 4);
    session.submit(elastic("e", 1, 2, 4));
    session.at(60).pass();
    session.on(reported(61, "e", 1, ResizeStep.SWITCHED));
    session.at(100).submit("w", 4);

    // 2 x 60 s and 4 x 45 s: only then has it had more than 300 s.
    assertThat(session.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(105));
  }

  @Test
  void whoGetsLargerOntoANodeThatIsLostStaysWhereItIs() {
    Session session = session(2, 4);
    session.submit(elastic("e", 2, 2, 6));
    assertThat(session.at(60).pass()).containsExactly("resize e to 6");

    assertThat(session.on(new ClusterEvent.NodeLost(Instant.ofEpochSecond(61), NodeId.of("n1"))))
        .containsExactly("resize e to 2");

    assertThat(session.scheduler.view().placement(JobId.of("e")).orElseThrow().nodes())
        .containsExactly(NodeId.of("n0"));
  }

  @Test
  void aSnapshotOfAChangeUnderWayGoesOnAlike() {
    Session session = session(8);
    session.submit(elastic("e", 1, 2, 8));
    session.at(60).pass();
    session.on(reported(61, "e", 1, ResizeStep.SWITCHED));
    session.at(200).submit("w", 5);
    LiquidScheduler restored =
        LiquidScheduler.builder(Session.cluster(8))
            .policy(Policies.bestEffortFifo())
            .elasticity(byGain().build())
            .restore(session.scheduler.snapshot());

    assertThat(restored.snapshot()).isEqualTo(session.scheduler.snapshot());
    ClusterEvent lost = new ClusterEvent.GpuLost(Instant.ofEpochSecond(201), GpuId.of("n0", 0));
    assertThat(restored.on(lost)).isEqualTo(session.scheduler.on(lost));
    assertThat(restored.status(JobId.of("e"))).isEqualTo(session.scheduler.status(JobId.of("e")));
    assertThat(restored.status(JobId.of("e"))).isNotEqualTo(Optional.empty());
  }

  /** The rank of a queue falls with what its jobs hold, while others of its jobs are in turn. */
  @Test
  void aJobIsTriedOnceEvenIfASiblingShrinksBeforeItsTurn() {
    Session session = session(Policies.fairShare(), byGain().pendingLimit(0), 6, 3);
    session.submit("first", 1);
    session.submit(aJob("other", 1).queue("research"));
    session.submit(aJob("last", 1).preemptible(false));
    session.submit(elastic("e", 1, 3, 3));
    session.submit(aJob("firm", 3).queue("research"));

    assertThat(session.at(100).lose("n1"))
        .endsWith("resize e to 2", "start first", "resize e to 1", "start other");
  }
}
