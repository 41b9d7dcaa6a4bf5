package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.PredictedSlowdownRule;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.performance.GpuSpeedTable;
import io.github.liquidscheduler.scheduler.performance.Performance;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.scheduling.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where running jobs move while a pre-empted gang takes its time to stop on n1 and n2. */
class MovesInGraceTest {

  private static final PreemptionRules GRACE =
      PreemptionRules.NONE.gracePeriod(Duration.ofHours(1));

  private static final Placement FROM = Session.place("m on n0 0 1");
  private static final Placement TO = Session.place("m on n1 0 1");

  @Test
  void aPlannedMoveOntoGpusOfAStoppingJobWaitsForIt() {
    Session session = movingAfter();

    assertThat(session.last())
        .containsExactly(
            new Decision.Migrate(
                JobId.of("m"), TO, new Reason.NetGain(100, 1), List.of(JobId.of("s"))));
    assertThat(session.scheduler.status(JobId.of("m")))
        .contains(new JobStatus.Moving(Instant.EPOCH, FROM, TO, List.of(JobId.of("s"))));
  }

  @Test
  void itMovesInTheEventInWhichTheLastOfThemHasStopped() {
    Session session = movingAfter();

    for (Session each : List.of(restored(session), session.copy(), session)) {
      each.at(9).stop("s");
      assertThat(each.scheduler.status(JobId.of("m")))
          .contains(new JobStatus.Running(Instant.EPOCH, TO));
    }
  }

  @Test
  void whoTakesWhatItLeavesWaitsForItAndBeginsAsItMoves() {
    Session session = movingAfter();
    session.submit(aJob("x", 4, 0).nodeLabel("pool", "n0"));
    assertThat(after(session)).containsExactly(JobId.of("m"));

    session.at(3601).pass();
    assertThat(session.scheduler.status(JobId.of("x")))
        .hasValueSatisfying(status -> assertThat(status).isInstanceOf(JobStatus.Running.class));
  }

  @Test
  void oneThatIsStoppedBeforeItMovesHoldsWhereItRuns() {
    Session session = movingAfter();

    session.at(9).submit(aJob("x", 4, 0).priority(9).nodeLabel("pool", "n1"));

    assertThat(session.last().getFirst()).isInstanceOf(Decision.Preempt.class);
    assertThat(after(session)).containsExactly(JobId.of("s"));
    assertThat(session.scheduler.status(JobId.of("m")))
        .contains(new JobStatus.Stopping(second(9), second(3609), FROM));
  }

  @Test
  void itStaysIfItsNewNodeIsLostBefore() {
    Session session = movingAfter();

    assertThat(session.lose("n1")).containsExactly("migrate m");

    assertThat(session.scheduler.status(JobId.of("m")))
        .contains(new JobStatus.Running(Instant.EPOCH, FROM));
  }

  @Test
  void itStaysOnADrainingNodeIfItsNewNodeDrainsOrIsLostBefore() {
    Session session = movingAfter();
    session.drain("n0");

    for (Session each : List.of(restored(session), session.copy(), session)) {
      List<String> decisions = each == session ? each.drain("n1") : each.lose("n1");
      assertThat(decisions).containsExactly("migrate m");
      assertThat(each.scheduler.status(JobId.of("m")))
          .contains(new JobStatus.Running(Instant.EPOCH, FROM));
    }
    session.at(9).finish("m");
    assertThat(session.waiting()).containsExactly("s");
  }

  @Test
  void itStopsIfItsNewNodeIsLostAndOthersArePromisedWhatItLeaves() {
    Session session = movingAfter();
    session.submit(aJob("x", 4, 0).nodeLabel("pool", "n0"));

    assertThat(session.at(9).lose("n1")).containsExactly("preempt m");

    assertThat(session.scheduler.status(JobId.of("m")))
        .contains(new JobStatus.Stopping(second(9), second(3609), FROM));
  }

  @Test
  void aJobThatSlowsAnotherMovesOntoAGpuOfAStoppingJobAfterIt() {
    Session session = new Session(sharing().preemption(GRACE).build());
    session.submit(shared("a", new Sharing.Guaranteed(0.8)).nodeLabel("pool", "n0"));
    session.submit(gang(1, 0));
    session.submit(shared("b", new Sharing.Opportunistic()));
    session.submit(aJob("w", 1, 0).priority(5).nodeLabel("pool", "n2"));
    assertThat(session.waiting()).containsExactly("s");

    session.progress("a", Progress.of(1, 6));
    assertThat(session.progress("a", Progress.of(1, 6))).containsExactly("migrate b");
    assertThat(after(session)).containsExactly(JobId.of("s"));

    assertThat(session.progress("a", Progress.of(1, 6))).isEmpty();
    assertThat(session.progress("a", Progress.of(1, 6))).isEmpty();
  }

  @Test
  void nobodyMakesWayIntoCoresThatAStoppingJobHolds() {
    Session session = new Session(options(cluster(96)).preemption(GRACE.moving(2)).build());
    session.submit(aJob("m", 0, 60));
    session.submit(gang(4, 96));
    session.submit(aJob("w", 2, 60).priority(5).nodeLabel("pool", "n2"));
    assertThat(session.waiting()).containsExactly("s");

    assertThat(session.submit(aJob("x", 4, 90).nodeLabel("pool", "n0"))).isEmpty();
  }

  /** Of 96 cores one that is stopping holds 60 and one that stays 20; 30 are too many. */
  @Test
  void nobodyMakesWayIntoCoresThatOneThatIsStoppingAndOneThatStaysHold() {
    for (int cores : List.of(16, 30)) {
      Session session = new Session(options(cluster(96)).preemption(GRACE.moving(2)).build());
      session.submit(aJob("m", 2, cores));
      session.submit(aJob("s", 0, 60).nodeLabel("pool", "n1"));
      session.at(100).submit(aJob("w", 2, 60).priority(5).nodeLabel("pool", "n1"));
      session.at(150).cancel("w");
      session.submit(aJob("before", 2, 0).nodeLabel("pool", "n1"));
      session.submit(aJob("stays", 1, 20).nodeLabel("pool", "n1"));
      session.finish("before");
      session.submit(aJob("other", 4, 0).nodeLabel("pool", "n2").preemptible(false));
      assertThat(session.waiting()).containsExactly("s");

      assertThat(
              session.submit(
                  JobSpec.builder("x")
                      .role("worker", 1, request(4, 0))
                      .excludeNodes(List.of("n2"))))
          .isEqualTo(cores == 16 ? List.of("migrate m", "start x") : List.of());
    }
  }

  @Test
  void nobodyMovesToFasterGpusWithCoresThatAStoppingJobHolds() {
    GpuModel fast = GpuModel.of("fast");
    GpuSpeedTable speeds =
        GpuSpeedTable.builder().speed("m", GpuModel.of("V100"), 1).speed("m", fast, 4).build();
    ClusterTopology cluster =
        ClusterTopology.builder()
            .node(node("n0", GpuModel.of("V100"), 96))
            .node(node("n1", fast, 96))
            .build();
    Session session =
        new Session(
            options(cluster)
                .preemption(GRACE)
                .performance(Performance.by(speeds).moving(Duration.ofSeconds(1)))
                .build());
    session.submit(aJob("s", 0, 60).nodeLabel("pool", "n1"));
    session.submit(
        aJob("m", 2, 60)
            .workload(Workload.builder("m").build())
            .expectedWork(ExpectedWork.ofDuration(Duration.ofHours(9))));
    session.at(100).submit(aJob("w", 2, 60).priority(5).nodeLabel("pool", "n1"));
    assertThat(session.at(150).cancel("w")).isEmpty();
    assertThat(session.waiting()).containsExactly("s");
    assertThat(session.nodesOf("m")).containsExactly("n0");
  }

  /** Returns a session in which a plan moves "m" from n0 to n1, where "s" is stopping. */
  private static Session movingAfter() {
    Session session = new Session(options(cluster(0)).preemption(GRACE).build());
    session.submit(aJob("m", 2, 0));
    session.submit(gang(4, 0));
    session.submit(aJob("w", 2, 0).priority(5).nodeLabel("pool", "n2"));
    assertThat(session.waiting()).containsExactly("s");
    session.plan(0, List.of(new Migration(JobId.of("m"), TO, 1, 100)));
    return session;
  }

  private static Session restored(Session session) {
    return new Session(options(cluster(0)).preemption(GRACE).restore(session.scheduler.snapshot()));
  }

  /** Returns the jobs that have to leave before the last decision is carried out. */
  private static List<JobId> after(Session session) {
    return switch (session.last().getLast()) {
      case Decision.Start start -> start.after();
      case Decision.Migrate move -> move.after();
      case Decision other -> throw new AssertionError(other);
    };
  }

  private static Instant second(long second) {
    return Instant.ofEpochSecond(second);
  }

  private static LiquidScheduler.Builder options(ClusterTopology cluster) {
    return LiquidScheduler.builder(cluster).policy(Policies.priority());
  }

  private static LiquidScheduler.Builder sharing() {
    ClusterTopology.Builder ofOneGpu = ClusterTopology.builder();
    for (String id : List.of("n0", "n1", "n2")) {
      ofOneGpu.node(
          Node.builder(id)
              .gpus(1, GpuModel.of("V100"), Memory.ofGib(16))
              .label("pool", id)
              .build());
    }
    return options(ofOneGpu.build())
        .colocation(
            Colocation.builder(
                    PredictedSlowdownRule.of(colocation -> Prediction.certain(1, Provenance.PRIOR)))
                .build());
  }

  /** Returns a cluster of three nodes of four GPUs. */
  private static ClusterTopology cluster(int cores) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (String id : List.of("n0", "n1", "n2")) {
      cluster.node(node(id, GpuModel.of("V100"), cores));
    }
    return cluster.build();
  }

  private static Node node(String id, GpuModel model, int cores) {
    return Node.builder(id)
        .gpus(4, model, Memory.ofGib(16))
        .cpu(CpuCores.of(cores))
        .label("pool", id)
        .build();
  }

  private static JobSpec.Builder aJob(String id, int gpus, int cores) {
    return gpus == 0
        ? JobSpec.builder(id).role("worker", 1, request(0, cores))
        : JobSpec.builder(id).role("worker", gpus, request(1, cores / gpus));
  }

  /** Returns a gang that fills two nodes. */
  private static JobSpec.Builder gang(int gpus, int cores) {
    return JobSpec.builder("s").role("worker", 2, request(gpus, cores));
  }

  private static ResourceRequest request(int gpus, int cores) {
    ResourceRequest.Builder request = ResourceRequest.builder();
    if (gpus > 0) {
      request.gpus(gpus);
    }
    return cores > 0 ? request.cpu(CpuCores.of(cores)).build() : request.build();
  }

  /** Returns a job that makes ten iterations per second alone. */
  private static JobSpec.Builder shared(String id, Sharing sharing) {
    return Session.aJob(id, 1)
        .workload(Workload.builder("w" + id).build())
        .expectedWork(ExpectedWork.of(Duration.ofSeconds(100), 1000))
        .sharing(sharing);
  }
}
