package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static io.github.liquidscheduler.scheduler.Session.aJobOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.explanation.Counterfactual;
import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Why a job waits, and what would let it run. */
class ExplanationTest {

  private static final long HOUR = 3600;

  private final Session fifo = Session.of(Policies.fifo(), 8);

  @Test
  void oneLineSaysTheMostTelling() {
    fifo.submit(aJobOf("runs", 8, HOUR));
    fifo.submit(aJobOf("mine", 8, HOUR));
    fifo.submit(aJobOf("next", 8, HOUR));

    assertThat(explain(fifo, "mine").summary())
        .isEqualTo(
            "GPUS (the job): requested 8 GPUs, available 0 GPUs; expected to start at"
                + " 1970-01-01T01:00:00Z");
    assertThat(explain(fifo, "next").summary())
        .isEqualTo(
            "QUEUE_ORDER (fifo has no job bypass others): 1 job ahead must start first; expected to"
                + " start at 1970-01-01T02:00:00Z");
  }

  @Test
  void aJobThatOutlivesItsTimeIsNotExpectedToEndNow() {
    fifo.submit(aJobOf("late", 4, HOUR));
    fifo.submit(aJobOf("other", 4, 5 * HOUR));
    fifo.submit(aJobOf("mine", 4, HOUR));

    fifo.at(HOUR + 60).pass();
    assertThat(explain(fifo, "mine").describe())
        .contains("expected to start at 1970-01-01T01:03:45Z")
        .contains("when job late ends, expected at 1970-01-01T01:03:45Z");
    fifo.at(HOUR + 300).pass();
    assertThat(explain(fifo, "mine").describe()).contains("start at 1970-01-01T02:00:00Z");
    fifo.at(4 * HOUR + 300).pass();
    assertThat(explain(fifo, "mine").describe()).contains("start at 1970-01-01T05:00:00Z");
    assertThat(fifo.scheduler.whatIf(List.of(), 1).firstStart(JobId.of("mine")))
        .contains(Instant.ofEpochSecond(5 * HOUR));
  }

  @Test
  void aJobThatEndsBeyondTheHorizonIsNoReasonNotToKnowAStart() {
    fifo.submit(aJobOf("unlimited", 4, 4_294_967_295L * 60));
    fifo.submit(aJobOf("short", 4, HOUR));
    fifo.submit(aJobOf("mine", 4, HOUR));

    assertThat(explain(fifo, "mine").describe())
        .contains("expected to start at 1970-01-01T01:00:00Z");
    assertThat(fifo.scheduler.whatIf(List.of(), 100).firstStart(JobId.of("mine")))
        .contains(Instant.ofEpochSecond(HOUR));
  }

  @Test
  void theJobsAheadCountForWhenAJobStarts() {
    fifo.submit(aJobOf("runs", 8, HOUR));
    for (int i = 0; i < 100; i++) {
      fifo.submit(aJobOf("b" + i, 8, 10 * HOUR));
    }
    fifo.submit(aJobOf("mine", 8, HOUR));

    assertThat(explain(fifo, "mine").describe())
        .isEqualTo(
            """
            job 'mine' waits:
              position 101 in the queue, behind 'b0', 'b1', 'b2' and 97 more; expected to start at 1970-02-11T17:00:00Z
              QUEUE_ORDER (fifo has no job bypass others): 100 jobs ahead must start first
              GPUS (the job): requested 8 GPUs, available 0 GPUs
              is tried again when job 'b0' is no longer before it
              would fit when job runs ends, expected at 1970-01-01T01:00:00Z\
            """);
  }

  @Test
  void aJobVeryFarBackIsNotExpectedBeforeAnInstant() {
    fifo.submit(aJobOf("runs", 8, HOUR));
    for (int i = 0; i < 1000; i++) {
      fifo.submit(aJobOf("b" + i, 8, HOUR));
    }

    assertThat(explain(fifo, "b999").describe())
        .contains("position 1000 in the queue", "; not expected to start before 1970-01-0");
  }

  @Test
  void nobodyKnowsWhenAJobStartsBehindOneOfUnknownLength() {
    fifo.submit("runs", 8);
    fifo.submit(aJobOf("mine", 8, HOUR));

    assertThat(explain(fifo, "mine").queue().expectedStart()).isEmpty();
  }

  @Test
  void onlyJobsThatHaveToEndAreNamed() {
    Session session = Session.of(Policies.bestEffortFifo(), 4, 4);
    session.submit(aJobOf("small", 1, 60));
    session.submit(aJobOf("beside", 3, 600));
    session.submit(aJobOf("other", 2, 300));
    session.submit(aJobOf("last", 2, 900));
    session.submit(JobSpec.builder("mine").role("worker", 1, ResourceRequest.ofGpus(4)));

    assertThat(explain(session, "mine").remedies())
        .filteredOn(Counterfactual.AfterJobsEnd.class::isInstance)
        .extracting(Counterfactual::describe)
        .containsExactly(
            "would fit when jobs [small, beside] end, expected at 1970-01-01T00:10:00Z");
  }

  @Test
  void jobsThatHaveOutlivedTheirExpectationAreNamedAlikeAfterARestart() {
    Session session = Session.of(Policies.fifo(), 2);
    session.submit(aJobOf("long", 1, 20));
    session.submit(aJobOf("short", 1, 10));
    session.submit("mine", 2);
    Explanation early = explain(session, "mine");
    session.at(30).pass();

    assertThat(explain(session, "mine").describe())
        .contains("would fit when jobs [short, long] end, expected at 1970-01-01T00:00:40Z");
    assertThat(explain(session.restored(), "mine"))
        .isNotEqualTo(early)
        .isEqualTo(explain(session, "mine"));
  }

  @Test
  void nodesThatAreNotThereAreNamed() {
    Session session = Session.of(Policies.fifo(), 4, 4, 4);
    session.submit("a", 4);
    session.drain("n1");
    session.lose("n2");
    session.submit("one", 4);
    assertThat(explain(session, "one").remedies())
        .contains(new Counterfactual.AfterReturn(List.of(NodeId.of("n1")), List.of()));

    session.submit("both", 8);
    assertThat(explain(session, "both").remedies())
        .contains(
            new Counterfactual.AfterReturn(List.of(NodeId.of("n1"), NodeId.of("n2")), List.of()));
  }

  @Test
  void aGpuThatIsNotThereIsNamed() {
    fifo.loseGpu("n0", 3);
    fifo.submit("a", 8);

    assertThat(explain(fifo, "a").remedies())
        .contains(new Counterfactual.AfterReturn(List.of(), List.of(GpuId.of("n0", 3))));
  }

  @Test
  void aWishForALevelThatIsNotThereIsIgnored() {
    assertThat(fifo.submit(aJob("a", 2).topology(TopologyConstraint.preferred("rack"))))
        .containsExactly("start a");
  }

  @Test
  void aRequiredLevelThatIsNotThereIsRefusedWithThoseThatAre() {
    fifo.submit(aJob("a", 2).topology(TopologyConstraint.required("rack")));

    assertThat(fifo.last().get(0).why().describe())
        .isEqualTo(
            "can never run here: TOPOLOGY_LEVEL (level 'rack' of [cluster, node]): requested 1"
                + " level, available 0 levels");
  }

  @Test
  void tasksThatLackCpuTogetherSaySo() {
    Session session = ofNodes(Policies.fifo(), node("n0").cpu(CpuCores.of(50)));
    session.submit(JobSpec.builder("mine").role("w", 2, cpu(20)));
    session.submit(JobSpec.builder("late").role("w", 2, cpu(12)));

    Explanation why = explain(session, "late");
    assertThat(why.unmetConstraints())
        .extracting(UnmetConstraint::describe)
        .containsExactly(
            "CPU (2 tasks on one node, with the GPUs they need): requested 24 cores, available 10"
                + " cores, closest fit node 'n0' with 10 cores");
    assertThat(why.remedies())
        .contains(
            new Counterfactual.SmallerRequest(
                "w", ResourceRequest.builder().gpus(1).cpu(CpuCores.of(5)).build()));
  }

  @Test
  void aJobIsToldThatItWouldFitWithoutALabel() {
    Session session =
        ofNodes(Policies.bestEffortFifo(), node("n0").label("disk", "ssd"), node("n1"));
    session.submit(aJob("a", 4).nodeLabel("disk", "ssd"));
    session.submit(aJob("b", 4).nodeLabel("disk", "ssd"));

    assertThat(explain(session, "b").remedies())
        .contains(new Counterfactual.WithoutLabels(Map.of("disk", "ssd")));
  }

  @Test
  void coRunnersThatWouldSlowSomebodyTooMuchAreNamed() {
    InterferencePredictor slow = query -> new Prediction(0.7, 0.6, 0.8, Provenance.PRIOR);
    Session session =
        new Session(
            LiquidScheduler.builder(Session.cluster(1))
                .policy(Policies.fifo())
                .colocation(Colocation.of(slow))
                .build());
    session.submit(sharing("rec", new Sharing.Opportunistic()));
    session.submit(sharing("mine", new Sharing.Guaranteed(0.8)));

    assertThat(explain(session, "mine").unmetConstraints())
        .extracting(UnmetConstraint::describe)
        .containsExactly(
            "GPUS (the job, on GPUs that nobody shares with it): requested 1 GPU, available 0 GPUs",
            "RETAINED_SPEED ('mine' beside 'rec' on GPU n0:0): requested 0.8 of the speed alone,"
                + " available 0.6 of the speed alone");
  }

  @Test
  void inABatchWindowNothingIsSaidToStartNow() {
    Session session =
        new Session(
            LiquidScheduler.builder(Session.cluster(4))
                .policy(Policies.fifo())
                .batch(BatchWindow.of(Duration.ofSeconds(10)))
                .build());
    session.submit("a", 2);

    assertThat(explain(session, "a").describe())
        .isEqualTo(
            """
            job 'a' waits:
              first in the queue
              BATCH_WINDOW (the window, due at 1970-01-01T00:00:10Z): a plan is to decide
              is tried again after a batch plan, or at 1970-01-01T00:00:10Z\
            """);
  }

  private static JobSpec.Builder sharing(String id, Sharing sharing) {
    return aJob(id, 1).sharing(sharing).workload(Workload.builder(id).build());
  }

  private static Explanation explain(Session session, String job) {
    return session.scheduler.explain(JobId.of(job));
  }

  private static ResourceRequest cpu(int cores) {
    return ResourceRequest.builder().gpus(1).cpu(CpuCores.of(cores)).build();
  }

  private static Node.Builder node(String id) {
    return Node.builder(id).gpus(4, GpuModel.of("V100"), Memory.ofGib(16));
  }

  private static Session ofNodes(SchedulingPolicy policy, Node.Builder... nodes) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (Node.Builder node : nodes) {
      cluster.node(node.build());
    }
    return new Session(LiquidScheduler.builder(cluster.build()).policy(policy).build());
  }
}
