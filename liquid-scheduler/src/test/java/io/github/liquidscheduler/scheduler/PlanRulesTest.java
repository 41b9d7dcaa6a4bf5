package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.PredictedSlowdownRule;
import io.github.liquidscheduler.placement.colocation.SharingMode;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.planning.PlanCertificate;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a plan starts or moves obeys every rule that immediate mode obeys. */
class PlanRulesTest {

  private static final InterferencePredictor SLOW =
      query -> Prediction.certain(query.coRunners().isEmpty() ? 1 : 0.6, Provenance.LEARNED);
  private static final Sharing FOR_SURE = new Sharing.Guaranteed(1);
  private static final Sharing EXCLUSIVE = new Sharing.Exclusive();
  private static final Sharing OPPORTUNISTIC = new Sharing.Opportunistic();
  private static final BatchWindow WINDOW = BatchWindow.of(Duration.ofSeconds(10));

  @Test
  void aMoveBringsNobodyBelowAFloor() {
    Session session = sharing(1, 1);
    session.submit(aJob("vip", FOR_SURE));
    session.submit(aJob("guest", OPPORTUNISTIC));
    session.at(10).pass();
    propose(session, starts(1, halves("vip", "n0 0"), halves("guest", "n1 0")));

    assertThat(propose(session, moves(halves("guest", "n0 0")))).isEmpty();
    assertThat(residents(session, "n0", 0)).containsExactly("vip");
  }

  @Test
  void aMovePutsNoExclusiveJobBesideAnother() {
    Session session = sharing(1, 1);
    session.submit(aJob("other", OPPORTUNISTIC));
    session.submit(aJob("alone", EXCLUSIVE, 1, 50));
    session.at(10).pass();
    propose(session, starts(1, halves("other", "n0 0"), placement("alone", share(100), "n1 0")));
    assertThat(residents(session, "n1", 0)).containsExactly("alone");

    assertThat(propose(session, moves(halves("alone", "n0 0")))).isEmpty();
  }

  @Test
  void aMoveThatIsAdmittedIsCarriedOut() {
    Session session = sharing(1, 1, 1);
    session.submit(aJob("vip", FOR_SURE));
    session.submit(aJob("guest", OPPORTUNISTIC));
    session.at(10).pass();
    propose(session, starts(1, halves("vip", "n0 0"), halves("guest", "n1 0")));

    assertThat(propose(session, moves(halves("guest", "n2 0")))).containsExactly("migrate guest");
  }

  @Test
  void noTwoTasksOfAJobThatSharesAreOnOneGpu() {
    Session session = sharing(2);
    session.submit(aJob("a", FOR_SURE, 2, 50));
    session.at(10).pass();

    assertThat(propose(session, starts(1, halves("a", "n0 0", "n0 0")))).containsExactly("start a");
    assertThat(residents(session, "n0", 0)).containsExactly("a");
    assertThat(residents(session, "n0", 1)).containsExactly("a");
    assertThat(propose(session, moves(halves("a", "n0 0", "n0 0")))).isEmpty();
  }

  @Test
  void anExclusiveJobGetsWholeGpusThoughItAsksForLess() {
    Session session = sharing(2);
    session.submit(aJob("a", EXCLUSIVE, 1, 50));
    session.at(10).pass();

    assertThat(propose(session, starts(1, halves("a", "n0 0")))).containsExactly("start a");
    assertThat(session.scheduler.view().freeGpus(NodeId.of("n0"))).isEqualTo(1);
    assertThat(session.scheduler.view().freeShare(GpuId.of("n0", 0))).isZero();
  }

  @Test
  void aJobIsGrantedNoLessOfAGpuThanImmediateModeGrants() {
    Session session = sharing(1);
    session.submit(aJob("a", OPPORTUNISTIC, 1, 10));
    session.at(10).pass();

    propose(session, starts(1, placement("a", share(10), "n0 0")));

    assertThat(session.scheduler.view().freeShare(GpuId.of("n0", 0))).isEqualTo(500);
  }

  @Test
  void aPlanGrantsTheGpuMemoryThatAJobStates() {
    Session session = sharing(1);
    ResourceRequest stated = share(50).toBuilder().gpuMemory(Memory.ZERO).build();
    session.submit(JobSpec.builder("a").sharing(OPPORTUNISTIC).role("worker", 1, stated));
    session.at(10).pass();

    ResourceRequest more = stated.toBuilder().gpuMemory(Memory.ofGib(4)).build();
    assertThatThrownBy(() -> propose(session, starts(1, placement("a", more, "n0 0"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("its tasks are not those of the job, each with what it requests");
    assertThat(propose(session, starts(1, placement("a", stated, "n0 0"))))
        .containsExactly("start a");
  }

  @Test
  void aSliceOfAGpuGoesToNobodyWhoAsksForMore() {
    GpuModel mig = GpuModel.of("V100");
    Colocation colocation =
        Colocation.builder(PredictedSlowdownRule.of(SLOW))
            .mode(mig, new SharingMode.MigSlice(GpuShare.ofPercent(25)))
            .build();
    ClusterTopology cluster =
        ClusterTopology.builder()
            .node(Node.builder("n0").gpus(1, mig, Memory.ofGib(4)).build())
            .node(Node.builder("n1").gpus(1, GpuModel.of("A100"), Memory.ofGib(40)).build())
            .build();
    Session session = session(LiquidScheduler.builder(cluster).colocation(colocation));
    session.submit(aJob("a", EXCLUSIVE));
    session.at(10).pass();

    assertThat(session.plan(1, "a on n0 0")).containsExactly("start a");
    assertThat(residents(session, "n1", 0)).containsExactly("a");
  }

  @Test
  void aMoveMixesNoGpuModelsThatAJobNames() {
    GpuModel v100 = GpuModel.of("V100");
    GpuModel a100 = GpuModel.of("A100");
    ClusterTopology cluster =
        ClusterTopology.builder()
            .node(Node.builder("n0").gpus(2, v100, Memory.ofGib(16)).build())
            .node(Node.builder("n1").gpus(1, a100, Memory.ofGib(16)).build())
            .build();
    Session session = new Session(LiquidScheduler.builder(cluster).policy(Policies.fifo()).build());
    session.submit(Session.aJob("a", 2).gpuModels(List.of(v100, a100)));

    assertThat(propose(session, moves(placement("a", ResourceRequest.ofGpus(1), "n0 0", "n1 0"))))
        .isEmpty();
  }

  @Test
  void aNonPreemptibleJobStartedAtTheRequestInstantIsNotMoved() {
    Session session =
        new Session(
            LiquidScheduler.builder(Session.cluster(2))
                .policy(Policies.bestEffortFifo())
                .batch(BatchWindow.of(Duration.ZERO))
                .build());
    session.submit(Session.aJob("fixed", 1).preemptible(false));
    session.submit("next", 1);
    assertThat(session.plan(1, "fixed on n0 0")).containsExactly("start fixed", "plan [next]");

    Migration move = new Migration(JobId.of("fixed"), Session.place("fixed on n0 1"), 1, 2);
    assertThat(session.plan(2, List.of(move), "next on n0 0")).containsExactly("start next");
    assertThat(residents(session, "n0", 0)).containsExactly("fixed");
  }

  @Test
  void aSliceUsesTheNextNarrowerLevelWhereABranchLacksItsOwn() {
    ClusterTopology cluster =
        ClusterTopology.builder()
            .levels("zone", "rack")
            .domain(Domain.of("rack", "r0"))
            .node(node("n0").domain("r0").build())
            .node(node("n1").domain("r0").build())
            .node(node("n2").build())
            .build();
    for (String level : List.of("zone", "cluster")) {
      JobSpec.Builder job =
          Session.aJob("a", 2).topology(TopologyConstraint.NONE.andSlices(2, level));
      Session immediate =
          new Session(LiquidScheduler.builder(cluster).policy(Policies.fifo()).build());
      Session batch = session(LiquidScheduler.builder(cluster));
      batch.submit(job);
      batch.at(10).pass();

      assertThat(immediate.submit(job)).containsExactly("start a");
      Placement found = immediate.scheduler.view().placement(JobId.of("a")).orElseThrow();
      assertThat(found.nodes()).hasSize(2);
      assertThat(propose(batch, starts(1, found))).containsExactly("start a");
      assertThat(batch.scheduler.view().placement(JobId.of("a"))).contains(found);
    }
  }

  private static Node.Builder node(String id) {
    return Node.builder(id).gpus(1, GpuModel.of("V100"), Memory.ofGib(16));
  }

  private static Session sharing(int... gpusOfNodes) {
    Colocation colocation = Colocation.of(SLOW);
    return session(LiquidScheduler.builder(Session.cluster(gpusOfNodes)).colocation(colocation));
  }

  private static Session session(LiquidScheduler.Builder options) {
    return new Session(options.policy(Policies.bestEffortFifo()).batch(WINDOW).build());
  }

  private static JobSpec.Builder aJob(String id, Sharing sharing) {
    return Session.aJob(id, 1).sharing(sharing);
  }

  private static JobSpec.Builder aJob(String id, Sharing sharing, int tasks, int percent) {
    return JobSpec.builder(id).sharing(sharing).role("worker", tasks, share(percent));
  }

  private static ResourceRequest share(int percent) {
    return ResourceRequest.builder().share(GpuShare.ofPercent(percent)).build();
  }

  private static Placement halves(String job, String... gpus) {
    return placement(job, share(50), gpus);
  }

  private static Placement placement(String job, ResourceRequest request, String... gpus) {
    List<TaskPlacement> tasks = new ArrayList<>();
    for (String gpu : gpus) {
      List<String> words = List.of(gpu.split(" ", -1));
      tasks.add(
          new TaskPlacement(
              new TaskId("worker", tasks.size()),
              NodeId.of(words.get(0)),
              List.of(Integer.parseInt(words.get(1))),
              request));
    }
    return new Placement(JobId.of(job), tasks);
  }

  private static BatchPlan starts(long request, Placement... starts) {
    return new BatchPlan(request, List.of(starts), List.of(), List.of(), certificate());
  }

  private static BatchPlan moves(Placement to) {
    Migration move = new Migration(to.job(), to, 1, 2);
    return new BatchPlan(0, List.of(), List.of(move), List.of(), certificate());
  }

  private static PlanCertificate certificate() {
    return new PlanCertificate(0, 0, 0, 0, List.of());
  }

  private static List<String> propose(Session session, BatchPlan plan) {
    return session.on(new ClusterEvent.PlanProposed(Instant.ofEpochSecond(20), plan));
  }

  private static List<String> residents(Session session, String node, int gpu) {
    return session.scheduler.view().residents(GpuId.of(node, gpu)).stream()
        .map(Resident::job)
        .map(JobId::value)
        .toList();
  }
}
