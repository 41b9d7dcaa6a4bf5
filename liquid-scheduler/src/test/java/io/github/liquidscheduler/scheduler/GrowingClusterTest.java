package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduling.PluginFailedException;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class GrowingClusterTest {

  private final Session session = Session.of(Policies.fifo(), 4, 4);

  private static Node.Builder node(String id, int gpus) {
    return Node.builder(id).gpus(gpus, GpuModel.of("V100"), Memory.ofGib(16));
  }

  @Test
  void aJobThatWaitsStartsOnTheAddedNode() {
    session.submit("a", 8);
    session.submit("b", 2);

    assertThat(session.add(node("n2", 2))).containsExactly("start b");

    assertThat(session.scheduler.view().placement(JobId.of("b")).orElseThrow().nodes())
        .containsExactly(NodeId.of("n2"));
  }

  @Test
  void aRejectedJobMayBeResubmittedUnderAnotherId() {
    assertThat(session.submit("huge", 10)).containsExactly("reject huge");

    session.add(node("n2", 2));

    assertThat(session.submit("huge-2", 10)).containsExactly("start huge-2");
  }

  @Test
  void jobsGoOnRunningWhereTheyDoWhenANodeComesBetweenTheirs() {
    Session racks =
        new Session(
            LiquidScheduler.builder(
                    ClusterTopology.builder()
                        .levels("rack")
                        .domain(Domain.of("rack", "r0"))
                        .domain(Domain.of("rack", "r1"))
                        .node(node("a0", 4).domain("r0").build())
                        .node(node("b0", 4).domain("r1").build())
                        .build())
                .policy(Policies.priority())
                .build());
    racks.submit("one", 4);
    racks.submit("two", 4);
    String onB0 = at(racks, "one").equals("[b0]") ? "one" : "two";
    racks.drain("a0");

    racks.add(node("a1", 1).domain("r0"));

    assertThat(racks.scheduler.view().health(NodeId.of("a0"))).isEqualTo(NodeHealth.DRAINING);
    assertThat(racks.submit(Session.aJob("urgent", 4).priority(5)))
        .containsExactly("preempt " + onB0, "start urgent");
    assertThat(at(racks, "urgent")).isEqualTo("[b0]");
  }

  @Test
  void aNodeMayComeWithItsRack() {
    Domain rack = Domain.of("rack", "r0");
    Session racks =
        new Session(
            LiquidScheduler.builder(
                    ClusterTopology.builder().levels("rack").node(node("n0", 1).build()).build())
                .policy(Policies.fifo())
                .build());
    racks.add(node("n1", 2).domain("r0"), rack);
    racks.add(node("n2", 2).domain("r0"));

    assertThat(racks.submit(Session.aJob("a", 4).topology(TopologyConstraint.required("rack"))))
        .containsExactly("start a");
  }

  @Test
  void aNodeThatIsThereOrHangsOnNothingIsRefused() {
    refused(() -> session.add(node("n0", 1)), "node 'n0' was added twice");
    refused(
        () -> session.add(node("n2", 1).domain("r7")),
        "node 'n2' hangs on domain 'r7', which was not added");
  }

  @Test
  void onlyANodeWithoutTasksRetires() {
    session.submit("a", 4);
    String inUse = at(session, "a").substring(1, 3);

    refused(
        () -> session.retire(inUse),
        "only a node without tasks can retire, but job 'a' runs on node '%s'. Drain it first"
            .formatted(inUse));
    refused(() -> session.retire("n9"), "the cluster has no node 'n9'");

    session.drain(inUse);
    session.finish("a");
    session.retire(inUse);

    assertThat(session.scheduler.view().topology().contains(NodeId.of(inUse))).isFalse();
    assertThat(session.scheduler.state().failures().draining()).isEmpty();
  }

  @Test
  void theLastNodeStays() {
    session.retire("n1");

    refused(() -> session.retire("n0"), "a cluster needs at least one node, but had none");
  }

  @Test
  void aLostNodeMayRetireAndComeBackAsNew() {
    session.loseGpu("n1", 0);
    session.lose("n1");
    session.retire("n1");
    assertThat(session.scheduler.state().failures().lostNodes()).isEmpty();
    assertThat(session.scheduler.state().failures().lostGpus()).isEmpty();

    session.add(node("n1", 4));

    assertThat(session.submit("a", 8)).containsExactly("start a");
  }

  @Test
  void whatOnlyFitWithARetiredNodeWaitsForTheClusterToGrow() {
    session.submit("first", 4);
    session.submit("a", 6);
    session.retire(free());

    assertThat(session.finish("first")).isEmpty();
    assertThat(session.submit("b", 6)).containsExactly("reject b");
    assertThat(session.add(node("n2", 4))).containsExactly("start a");
  }

  @Test
  void aPlanThatNamesARetiredNodeIsCarriedOutWithoutIt() {
    Session batch =
        new Session(
            LiquidScheduler.builder(Session.cluster(1, 1))
                .policy(Policies.fifo())
                .batch(BatchWindow.of(Duration.ZERO))
                .build());
    batch.submit("a", 1);
    batch.retire("n1");

    assertThat(batch.plan(1, "a on n1 0")).containsExactly("start a");
  }

  @Test
  void aCopyAndARestoredSchedulerHaveTheClusterOfNow() {
    session.submit("a", 8);
    session.add(node("n2", 3));
    SchedulerSnapshot snapshot = session.scheduler.snapshot();
    LiquidScheduler restored =
        LiquidScheduler.builder(session.scheduler.view().topology())
            .policy(Policies.fifo())
            .restore(snapshot);

    assertThat(session.scheduler.copy().view().topology())
        .isEqualTo(session.scheduler.view().topology());
    assertThat(new Session(restored).submit("b", 3)).isEqualTo(session.submit("b", 3));
  }

  @Test
  void aSchedulerRestoredOnALargerClusterTriesAllThatWait() {
    for (SchedulingPolicy policy : List.of(Policies.fifo(), Policies.bestEffortFifo())) {
      UnaryOperator<LiquidScheduler.Builder> with = options -> options.policy(policy);
      Session grown = grown(waiting(with), with);

      assertThat(grown.scheduler.nextWakeUp()).contains(Instant.EPOCH);
      assertThat(grown.at(1).pass()).containsExactly("start b");
      assertThat(grown.scheduler.nextWakeUp()).isEmpty();
    }
  }

  @Test
  void aSchedulerInBatchModeRestoredOnALargerClusterPlansAllThatWait() {
    UnaryOperator<LiquidScheduler.Builder> batch =
        options -> options.policy(Policies.bestEffortFifo()).batch(BatchWindow.of(Duration.ZERO));
    Session small = waiting(batch);
    small.plan(1, "a on n0 0 1 2 3");
    small.plan(2);
    assertThat(small.running()).containsExactly("a");

    Session grown = grown(small, batch);

    assertThat(grown.at(1).pass()).containsExactly("plan [b]");
  }

  @Test
  void pendingRetriesAfterARestoreSurviveCopiesSnapshotsAndFailedTurns() {
    Fuse fuse = new Fuse();
    UnaryOperator<LiquidScheduler.Builder> fused =
        options ->
            options.policy(Policies.fifo()).placer(new Fuse.FusedPlacer(Placers.bestFit(), fuse));
    Session grown = grown(waiting(fused), fused);
    Session again = grown(grown, fused);
    Session copy = new Session((LiquidScheduler) grown.scheduler.copy());

    fuse.arm(0);
    assertThatThrownBy(grown::pass).isInstanceOf(PluginFailedException.class);

    for (Session session : List.of(grown, again, copy)) {
      assertThat(session.pass()).containsExactly("start b");
    }
  }

  /** Returns a session on one node in which a runs, or is planned first, and b waits. */
  private static Session waiting(UnaryOperator<LiquidScheduler.Builder> options) {
    Session session =
        new Session(options.apply(LiquidScheduler.builder(Session.cluster(4))).build());
    session.submit("a", 4);
    session.submit("b", 4);
    return session;
  }

  /** Returns a session that goes on with a second node. */
  private static Session grown(Session session, UnaryOperator<LiquidScheduler.Builder> options) {
    return new Session(
        options
            .apply(LiquidScheduler.builder(Session.cluster(4, 4)))
            .restore(session.scheduler.snapshot()));
  }

  private static String at(Session session, String job) {
    return session.scheduler.view().placement(JobId.of(job)).orElseThrow().nodes().toString();
  }

  private String free() {
    return session.scheduler.view().freeGpus(NodeId.of("n0")) == 4 ? "n0" : "n1";
  }

  private void refused(ThrowingCallable event, String message) {
    SchedulerSnapshot before = session.scheduler.snapshot();

    assertThatThrownBy(event).isInstanceOf(IllegalArgumentException.class).hasMessage(message);

    assertThat(session.scheduler.snapshot()).isEqualTo(before);
  }
}
