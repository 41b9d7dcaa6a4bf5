package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.PredictedSlowdownRule;
import io.github.liquidscheduler.placement.colocation.SharingMode;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.prediction.LearnedState;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.PredictorState;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ColocationMonitorTest {

  private static final Sharing OPPORTUNISTIC = new Sharing.Opportunistic();
  private static final Sharing GUARANTEED = new Sharing.Guaranteed(0.8);

  private final Hopeful predictor = new Hopeful();

  @Test
  void aPlacerBesideCoLocationIsRefused() {
    LiquidScheduler.Builder both =
        LiquidScheduler.builder(Session.cluster(1))
            .policy(Policies.bestEffortFifo())
            .placer(Placers.bestFit())
            .colocation(Colocation.builder(PredictedSlowdownRule.of(predictor)).build());

    assertThatIllegalStateException()
        .isThrownBy(both::build)
        .withMessage(
            "a scheduler has either a placer or co-location, but was given both. Use"
                + " Colocation.builder(…).base(placer)");
  }

  @Test
  void anOpportunisticJobThatSlowsAGuaranteedOneHasToGo() {
    Session session = session(1);
    session.submit(job("a", GUARANTEED));
    assertThat(session.submit(job("b", OPPORTUNISTIC))).containsExactly("start b");

    assertThat(report(session, "a", 6)).isEmpty();
    assertThat(report(session, "a", 6)).containsExactly("preempt b");

    assertThat(((Decision.Preempt) session.last().get(0)).why())
        .isEqualTo(new Reason.InterferenceViolation(JobId.of("a"), 0.6, 0.8));
  }

  @Test
  void theTwoDoNotMeetAgain() {
    Session session = together(GUARANTEED, OPPORTUNISTIC);
    report(session, "a", 6);
    report(session, "a", 6);

    assertThat(session.pass()).isEmpty();
    assertThat(session.submit(job("c", OPPORTUNISTIC))).containsExactly("start c");
    assertThat(session.waiting()).containsExactly("b");
    assertThat(session.finish("a")).containsExactly("start b");
  }

  @Test
  void aJobMovesIfItFitsElsewhere() {
    Session session = session(2);
    session.submit(job("a", GUARANTEED));
    session.submit(job("c", GUARANTEED));
    session.submit(job("b", OPPORTUNISTIC));
    session.finish("c");

    report(session, "a", 6);
    assertThat(report(session, "a", 6)).containsExactly("migrate b");
    assertThat(session.running()).containsExactly("a", "b");
    assertThat(session.scheduler.view().freeGpus(NodeId.of("n0"))).isZero();
  }

  @Test
  void whoMayNotBeStoppedStaysAndTheNextHasToGo() {
    Session session = session(1);
    session.submit(job("a", GUARANTEED));
    session.submit(job("b", OPPORTUNISTIC).preemptible(false));

    report(session, "a", 6);

    assertThat(report(session, "a", 6)).containsExactly("preempt a");
  }

  @Test
  void aFloorThatHoldsPartsNobody() {
    Session session = together(GUARANTEED, OPPORTUNISTIC);

    report(session, "a", 8);
    report(session, "b", 9);

    assertThat(report(session, "a", 8)).isEmpty();
    assertThat(report(session, "b", 9)).isEmpty();
  }

  @Test
  void aFloorIsMissedOnceTheToleranceIsExceeded() {
    Session byDefault = together(GUARANTEED, OPPORTUNISTIC);
    report(byDefault, "a", 7.85);
    assertThat(report(byDefault, "a", 7.85)).isEmpty();
    assertThat(report(byDefault, "a", 7.75)).containsExactly("preempt b");

    Session tolerant =
        together(
            new Session(options(1, colocation().tolerance(0.1).build()).build()),
            GUARANTEED,
            OPPORTUNISTIC);
    report(tolerant, "a", 7.05);
    assertThat(report(tolerant, "a", 7.05)).isEmpty();
    assertThat(report(tolerant, "a", 6.95)).containsExactly("preempt b");
  }

  @Test
  void twoJobsThatDoLessTogetherThanOneAfterTheOtherPart() {
    Session session = together(OPPORTUNISTIC, OPPORTUNISTIC);

    report(session, "a", 4);
    report(session, "b", 5);
    assertThat(report(session, "a", 4)).isEmpty();

    assertThat(report(session, "b", 5)).containsExactly("preempt a");
  }

  @Test
  void aReportTeachesOnceTheCompanyIsTheSame() {
    Session session = together(OPPORTUNISTIC, OPPORTUNISTIC);

    report(session, "a", 7);
    assertThat(predictor.seen).isEmpty();
    report(session, "a", 7);
    report(session, "a", 7.1);
    assertThat(predictor.seen).containsExactly("wa beside [wb] on V100: 0.7");
    report(session, "a", 8);
    assertThat(predictor.seen).hasSize(2);
  }

  @Test
  void whoWasPredictedToSufferIsTriedAgainOnceMoreIsKnown() {
    Colocation wary = Colocation.builder(PredictedSlowdownRule.of(new Wary())).build();
    Session session = new Session(options(2, wary).build());
    session.submit(job("a", OPPORTUNISTIC));
    session.submit(job("b", OPPORTUNISTIC));
    session.submit(job("x", OPPORTUNISTIC));
    assertThat(session.submit(job("c", OPPORTUNISTIC))).isEmpty();

    report(session, "a", 9);

    assertThat(report(session, "a", 9)).containsExactly("start c");
  }

  @Test
  void theRateAloneIsLearnedFromReportsAlone() {
    Session session = session(1);
    session.submit(job("a", OPPORTUNISTIC));
    report(session, "a", 20);
    report(session, "a", 20);
    session.submit(job("b", OPPORTUNISTIC));

    report(session, "a", 10);
    report(session, "a", 10);

    assertThat(predictor.seen).containsExactly("wa beside [wb] on V100: 0.5");
  }

  @Test
  void aReportBesideAStoppingJobIsNotTakenForTheRateAlone() {
    PreemptionRules grace = PreemptionRules.NONE.gracePeriod(Duration.ofSeconds(30));
    Session session = new Session(options(1).preemption(grace).build());
    together(session, GUARANTEED, OPPORTUNISTIC);
    report(session, "a", 6);
    assertThat(report(session, "a", 6)).containsExactly("preempt b");
    report(session, "a", 6);
    report(session, "a", 6);
    session.stop("b");
    assertThat(session.submit(job("c", OPPORTUNISTIC))).containsExactly("start c");

    report(session, "a", 6);

    assertThat(report(session, "a", 6)).containsExactly("preempt c");
  }

  @Test
  void whatIsSeenUnderMpsTeachesNothingOfTimeSlicing() {
    Colocation underMps = colocation().mode(new SharingMode.Mps(2)).build();
    Session session = new Session(options(1, underMps).build());
    session.submit(job("a", GUARANTEED));
    session.submit(job("b", OPPORTUNISTIC));

    report(session, "a", 6);
    assertThat(report(session, "a", 6)).containsExactly("preempt b");

    assertThat(predictor.seen).containsExactly("wa beside [wb] on V100 MPS: 0.6");
    assertThat(session.pass()).isEmpty();
  }

  @Test
  void aCopyDecidesAsTheOriginalWouldAndTeachesItNothing() {
    Session session = together(GUARANTEED, OPPORTUNISTIC);
    Scheduler copy = session.scheduler.copy();
    SchedulerSnapshot before = session.scheduler.snapshot();

    List<Decision> copied = List.of();
    for (int i = 0; i < 2; i++) {
      copied =
          copy.on(new ClusterEvent.JobProgressed(Instant.EPOCH, JobId.of("a"), Progress.of(1, 6)));
    }

    assertThat(session.scheduler.snapshot()).isEqualTo(before);
    report(session, "a", 6);
    assertThat(report(session, "a", 6)).containsExactly("preempt b");
    assertThat(session.last()).isEqualTo(copied);
  }

  @Test
  void whoHasPartedDoesNotMeetAgainAfterARestart() {
    Session session = together(GUARANTEED, OPPORTUNISTIC);
    report(session, "a", 6);
    report(session, "a", 6);

    Session restarted = restarted(session);

    assertThat(restarted.pass()).isEmpty();
    assertThat(restarted.finish("a")).containsExactly("start b");
  }

  @Test
  void reportsAndRatesSurviveARestart() {
    Session session = session(1);
    session.submit(job("a", OPPORTUNISTIC));
    report(session, "a", 20);
    report(session, "a", 20);
    session.submit(job("b", OPPORTUNISTIC));
    report(session, "a", 10);

    Session restarted = restarted(session);
    report(restarted, "a", 10);

    assertThat(predictor.seen).containsExactly("wa beside [wb] on V100: 0.5");
  }

  @Test
  void aRestoredSchedulerHasTheSameSnapshot() {
    Session session = session(1);
    session.submit(job("a", OPPORTUNISTIC));
    report(session, "a", 9);
    report(session, "a", 9);
    session.submit(job("b", OPPORTUNISTIC));
    for (int i = 0; i < 2; i++) {
      report(session, "a", 4);
      report(session, "b", 4);
    }
    SchedulerSnapshot snapshot = session.scheduler.snapshot();
    Map<String, Object> learned = snapshot.section("colocations").values();

    assertThat((List<?>) learned.get("rates")).hasSize(1);
    assertThat((List<?>) learned.get("reports")).hasSize(2);
    assertThat((List<?>) learned.get("bans")).hasSize(2);
    assertThat(restarted(session).scheduler.snapshot()).isEqualTo(snapshot);
  }

  @Test
  void aSnapshotWithLessonsNeedsAPredictorThatKeepsThem() {
    Session session = session(1);
    SchedulerSnapshot empty = session.scheduler.snapshot();
    LearnedState learned = new LearnedState("residual", List.of("a", "b"), List.of(0.5));
    Map<String, SnapshotSection> sections = new LinkedHashMap<>(empty.sections());
    sections.put(
        "colocations",
        SnapshotSection.builder().put("taken", 0).put("learnedStates", List.of(learned)).build());
    SchedulerSnapshot taught = new SchedulerSnapshot(1, empty.now(), sections);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> options(1).restore(taught))
        .withMessage(
            "only a predictor that learns can restore learned state, but a Hopeful was given 1"
                + " value");
  }

  /** Returns a session in which a and b have started on the only GPU. */
  private Session together(Sharing a, Sharing b) {
    return together(session(1), a, b);
  }

  private static Session together(Session session, Sharing a, Sharing b) {
    session.submit(job("a", a));
    session.submit(job("b", b));
    return session;
  }

  private Session session(int gpus) {
    return new Session(options(gpus).build());
  }

  private Session restarted(Session session) {
    return new Session(options(1).restore(session.scheduler.snapshot()));
  }

  private LiquidScheduler.Builder options(int gpus) {
    return options(gpus, colocation().build());
  }

  private static LiquidScheduler.Builder options(int gpus, Colocation colocation) {
    return LiquidScheduler.builder(Session.cluster(gpus))
        .policy(Policies.bestEffortFifo())
        .colocation(colocation);
  }

  private Colocation.Builder colocation() {
    return Colocation.builder(PredictedSlowdownRule.of(predictor));
  }

  /** Returns a job that makes ten iterations per second alone. */
  private static JobSpec.Builder job(String id, Sharing sharing) {
    return Session.aJob(id, 1)
        .workload(Workload.builder("w" + id).build())
        .expectedWork(ExpectedWork.of(Duration.ofSeconds(100), 1000))
        .sharing(sharing);
  }

  private static List<String> report(Session session, String job, double rate) {
    return session.progress(job, Progress.of(1, rate));
  }

  /** A predictor that expects no contention, and notes what it is taught. */
  private static final class Hopeful implements InterferencePredictor {
    private final List<String> seen = new ArrayList<>();

    @Override
    public Prediction retainedSpeed(ColocationQuery colocation) {
      return Prediction.certain(1, Provenance.PRIOR);
    }

    @Override
    public PredictorState observe(
        PredictorState state, ColocationQuery colocation, double retainedSpeed) {
      seen.add(
          "%s beside %s on %s: %s"
              .formatted(
                  colocation.victim().workload(),
                  colocation.coRunners().stream().map(other -> other.workload()).toList(),
                  colocation.gpu(),
                  retainedSpeed));
      return state;
    }
  }

  /** A predictor that expects the worst of workload c until it has seen anybody share a GPU. */
  private static final class Wary implements InterferencePredictor {
    private static final PredictorState SEEN = () -> PredictorState.NONE.save();

    @Override
    public Prediction retainedSpeed(ColocationQuery colocation) {
      return retainedSpeed(colocation, PredictorState.NONE);
    }

    @Override
    public Prediction retainedSpeed(ColocationQuery colocation, PredictorState state) {
      boolean isOfC =
          Stream.concat(Stream.of(colocation.victim()), colocation.coRunners().stream())
              .anyMatch(load -> load.workload().family().equals("wc"));
      return Prediction.certain(isOfC && state != SEEN ? 0.1 : 1, Provenance.PRIOR);
    }

    @Override
    public PredictorState observe(
        PredictorState state, ColocationQuery colocation, double retainedSpeed) {
      return SEEN;
    }
  }
}
