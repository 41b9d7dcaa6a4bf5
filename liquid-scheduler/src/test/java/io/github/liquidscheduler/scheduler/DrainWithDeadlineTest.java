package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.AdvanceReservation;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.ReservationId;
import io.github.liquidscheduler.scheduling.ResizeStep;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Jobs leave a node that has to be empty by a deadline smaller or elsewhere, if they can. */
class DrainWithDeadlineTest {

  private static final ResizeCost HALF_A_MINUTE =
      new ResizeCost(Duration.ofSeconds(30), Duration.ZERO, Duration.ZERO);

  @Test
  void anElasticJobGoesOnWithItsTasksOnTheNodesThatStay() {
    Session two = elastic(ResizeCost.NONE, 4, 4);
    two.submit(sized("e", 2, 8).preemptible(false));
    two.at(10).on(draining("n1", 10, 600));

    assertThat(two.at(609).pass()).isEmpty();
    for (Session each : List.of(two.copy(), two)) {
      assertThat(each.at(610).pass()).containsExactly("resize e to 4");

      assertThat(each.last().getFirst().why()).isEqualTo(new Reason.NodeDrained(NodeId.of("n1")));
      assertThat(each.nodesOf("e")).containsExactly("n0");
      each.at(611).resizeReported("e", ResizeStep.READY);
      each.at(612).resizeReported("e", ResizeStep.SWITCHED);
      assertThat(each.at(700).pass()).isEmpty();
      assertThat(each.retire("n1")).isEmpty();
    }
  }

  @Test
  void theDeadlineOfADrainingNodeIsChangedWithoutAStartThere() {
    Session one = Session.of(Policies.fifo(), 8);
    one.submit(aJob("runs", 4));
    one.at(10).on(draining("n0", 10, 600));
    one.at(20).submit(aJob("waits", 4));

    assertThat(one.at(60).on(draining("n0", 60, 3600))).isEmpty();
    assertThat(one.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(3660));
    assertThat(one.at(610).pass()).isEmpty();
    assertThat(one.at(620).on(draining("n0", 620, 30))).isEmpty();
    assertThat(one.copy().at(650).pass()).containsExactly("preempt runs");
    assertThat(one.at(630).drain("n0")).isEmpty();
    assertThat(one.scheduler.nextWakeUp()).isEmpty();
    assertThat(one.at(700).pass()).isEmpty();
  }

  @Test
  void itIsToldTwiceTheTimeOfTheChangeBeforeTheDeadline() {
    Session two = elastic(HALF_A_MINUTE, 4, 4);
    two.submit(sized("e", 2, 8));
    two.at(10).on(draining("n1", 10, 600));

    assertThat(two.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(60));
    assertThat(two.at(549).pass()).isEmpty();
    assertThat(two.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(550));
    assertThat(two.at(550).pass()).containsExactly("resize e to 4");
    two.at(580).resizeReported("e", ResizeStep.SWITCHED);
    assertThat(two.at(610).pass()).isEmpty();
  }

  @Test
  void aJobThatStillRunsThereAtTheDeadlineThoughItWasToldInTimeStops() {
    Session two = elastic(HALF_A_MINUTE, 4, 4);
    two.submit(sized("e", 2, 8));
    two.at(10).on(draining("n1", 10, 600));
    two.at(550).pass();

    assertThat(two.at(610).pass()).startsWith("preempt e");
  }

  @Test
  void aJobIsNotToldToGetSmallerIfTheDeadlineIsTooNearForThat() {
    Session two = elastic(HALF_A_MINUTE, 4, 4);
    two.submit(sized("e", 2, 8));

    assertThat(two.at(10).on(draining("n1", 10, 29))).isEmpty();
    assertThat(two.at(39).pass()).containsExactly("preempt e", "start e");
  }

  @Test
  void aJobIsToldAtOnceIfThereIsJustTimeForTheChange() {
    Session two = elastic(HALF_A_MINUTE, 4, 4);
    two.submit(sized("e", 2, 8));

    assertThat(two.at(10).on(draining("n1", 10, 30))).containsExactly("resize e to 4");
  }

  @Test
  void itIsToldTheGracePeriodBeforeTheDeadline() {
    Session two =
        new Session(
            builder(ResizeCost.NONE, 4, 4)
                .preemption(PreemptionRules.NONE.gracePeriod(Duration.ofSeconds(40)))
                .build());
    two.submit(sized("e", 2, 8));
    two.at(10).on(draining("n1", 10, 600));

    assertThat(two.at(569).pass()).isEmpty();
    assertThat(two.at(570).pass()).containsExactly("resize e to 4");
  }

  @Test
  void aJobStopsThatMayNotHaveTheSizeWithWhatIsLeft() {
    Session two = elastic(ResizeCost.NONE, 4, 4);
    two.submit(sized("e", 5, 8));
    two.at(10).on(draining("n1", 10, 600));

    assertThat(two.at(610).pass()).containsExactly("preempt e");
  }

  @Test
  void ofTheTasksThatAreLeftTheLargestAllowedSizeStays() {
    Session three = elastic(ResizeCost.NONE, 3, 3, 2);
    three.submit(aJob("e", 8).parallelism(new Parallelism(List.of(2, 4, 8), 8)));
    three.at(10).on(draining("n1", 10, 600));

    assertThat(three.at(610).pass()).containsExactly("resize e to 4");
    assertThat(three.nodesOf("e")).containsExactly("n0", "n2");
  }

  @Test
  void aSliceLeavesAsAWhole() {
    Session four = elastic(ResizeCost.NONE, 2, 2, 2, 2);
    four.submit(
        aJob("e", 8)
            .parallelism(new Parallelism(List.of(2, 4, 6, 8), 8))
            .topology(TopologyConstraint.NONE.andSlices(2, "node")));
    four.at(10).on(draining("n1", 10, 600));

    assertThat(four.at(610).pass()).containsExactly("resize e to 6");
    assertThat(four.nodesOf("e")).containsExactly("n0", "n2", "n3");
  }

  @Test
  void aJobLeavesTwoNodesWithOneDeadlineAtOnce() {
    Session three = elastic(ResizeCost.NONE, 2, 2, 2);
    three.submit(sized("e", 1, 6));
    three.at(10).on(draining("n1", 10, 600));
    three.on(draining("n2", 10, 600));

    assertThat(three.at(610).pass()).containsExactly("resize e to 2");
    assertThat(three.nodesOf("e")).containsExactly("n0");
  }

  @Test
  void aJobLeavesTheSecondNodeWhileItIsStillLeavingTheFirst() {
    Session three = elastic(HALF_A_MINUTE, 2, 2, 2);
    three.submit(sized("e", 1, 6));
    three.at(10).on(draining("n1", 10, 600));
    three.on(draining("n2", 10, 610));

    assertThat(three.at(550).pass()).containsExactly("resize e to 4");
    assertThat(three.at(560).pass()).containsExactly("resize e to 2");
    three.at(570).resizeReported("e", ResizeStep.READY);
    three.at(570).resizeReported("e", ResizeStep.SWITCHED);
    assertThat(three.at(610).pass()).isEmpty();
    assertThat(three.at(620).pass()).isEmpty();
    assertThat(three.running()).containsExactly("e");
  }

  @Test
  void nobodyLeavesANodeThatReturnsBefore() {
    Session two = elastic(ResizeCost.NONE, 4, 4);
    two.submit(sized("e", 2, 8));
    two.at(10).on(draining("n1", 10, 600));
    two.at(300).giveBack("n1");

    assertThat(two.at(610).pass()).isEmpty();
    assertThat(two.entry("e").size()).isEqualTo(8);
  }

  @Test
  void aJobThatIsLeavingANodeStopsIfTheNodeIsLostBefore() {
    Session two = elastic(HALF_A_MINUTE, 4, 4);
    two.submit(sized("e", 2, 8));
    two.at(10).on(draining("n1", 10, 600));
    two.at(550).pass();

    assertThat(two.at(560).lose("n1")).containsExactly("preempt e", "start e");
  }

  @Test
  void aRestoredSchedulerTellsTheJobAsWell() {
    Session two = elastic(HALF_A_MINUTE, 4, 4);
    two.submit(sized("e", 2, 8));
    two.at(10).on(draining("n1", 10, 600));

    Session restored = new Session(builder(HALF_A_MINUTE, 4, 4).restore(two.scheduler.snapshot()));

    assertThat(restored.scheduler.nextWakeUp()).isEqualTo(two.scheduler.nextWakeUp());
    assertThat(restored.at(550).pass()).containsExactly("resize e to 4");
  }

  @Test
  void aJobThatIsGrowingElsewhereGoesOnWithWhatItHasOnNodesThatStay() {
    Session three = elastic(HALF_A_MINUTE, 2, 2, 2);
    three.submit("b", 2);
    three.submit(aJob("e", 4).parallelism(Parallelism.between(1, 4, 6)));
    assertThat(three.at(330).finish("b")).containsExactly("resize e to 6");

    assertThat(three.at(340).on(draining("n2", 340, 40))).containsExactly("resize e to 2");
    assertThat(three.nodesOf("e")).containsExactly("n1");
  }

  @Test
  void aJobOfOneSizeMovesIfJobsMayBeMoved() {
    for (int moves : List.of(0, 1)) {
      Session two =
          new Session(
              LiquidScheduler.builder(Session.cluster(4, 4))
                  .policy(Policies.bestEffortFifo())
                  .preemption(PreemptionRules.NONE.moving(moves))
                  .build());
      two.submit(aJob("a", 4).preemptible(false));
      two.at(10).on(draining("n0", 10, 600));

      assertThat(two.at(610).pass())
          .isEqualTo(moves == 0 ? List.of("preempt a", "start a") : List.of("migrate a"));
      assertThat(two.nodesOf("a")).containsExactly("n1");
    }
  }

  @Test
  void aJobDoesNotMoveToWhatOthersStillHold() {
    Session two =
        new Session(
            LiquidScheduler.builder(Session.cluster(4, 4))
                .policy(Policies.priority())
                .preemption(PreemptionRules.NONE.moving(1).gracePeriod(Duration.ofMinutes(1)))
                .build());
    two.submit(aJob("a", 4).priority(2));
    two.submit(aJob("b", 4));
    two.at(10).on(draining("n0", 10, 20));
    assertThat(two.at(20).submit(aJob("high", 4).priority(1)))
        .containsExactly("preempt b", "start high");
    two.at(21).cancel("high");

    assertThat(two.at(30).pass()).contains("preempt a");
  }

  @Test
  void maintenanceMakesAnElasticJobSmallerAsADrainDoes() {
    Session two = new Session(builder(HALF_A_MINUTE, 4, 4).backfill(Backfill.easy()).build());
    two.submit(sized("e", 2, 8));
    two.at(10)
        .on(
            new ClusterEvent.ReservationAnnounced(
                two.now(),
                new AdvanceReservation.Maintenance(
                    ReservationId.of("firmware"),
                    Instant.ofEpochSecond(600),
                    Instant.ofEpochSecond(900),
                    List.of(NodeId.of("n1")))));

    assertThat(two.at(539).pass()).isEmpty();
    assertThat(two.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(540));
    assertThat(two.at(540).pass()).containsExactly("resize e to 4");
    assertThat(two.last().getFirst().why())
        .isEqualTo(new Reason.ReservationBegan(ReservationId.of("firmware")));
    two.at(570).resizeReported("e", ResizeStep.SWITCHED);
    assertThat(two.at(600).pass()).isEmpty();
    assertThat(two.at(700).pass()).isEmpty();
    assertThat(two.nodesOf("e")).containsExactly("n0");
  }

  @Test
  void whoGetsSmallerAtTheBeginningOfMaintenanceMayFinishTheChange() {
    Session two = new Session(builder(ResizeCost.NONE, 4, 4).backfill(Backfill.easy()).build());
    two.submit(sized("e", 2, 8));
    two.at(10)
        .on(
            new ClusterEvent.ReservationAnnounced(
                two.now(),
                new AdvanceReservation.Maintenance(
                    ReservationId.of("firmware"),
                    Instant.ofEpochSecond(600),
                    Instant.ofEpochSecond(900),
                    List.of(NodeId.of("n1")))));

    assertThat(two.at(600).pass()).containsExactly("resize e to 4");
    assertThat(two.at(601).resizeReported("e", ResizeStep.READY)).isEmpty();
    assertThat(two.at(602).resizeReported("e", ResizeStep.SWITCHED)).isEmpty();
    assertThat(two.running()).containsExactly("e");
  }

  @Test
  void maintenanceMovesAJobToAnotherNode() {
    Session two =
        new Session(
            LiquidScheduler.builder(Session.cluster(4, 4))
                .policy(Policies.bestEffortFifo())
                .backfill(Backfill.easy())
                .preemption(PreemptionRules.NONE.moving(1))
                .build());
    two.submit(aJob("a", 2));
    two.at(10)
        .on(
            new ClusterEvent.ReservationAnnounced(
                two.now(),
                new AdvanceReservation.Maintenance(
                    ReservationId.of("firmware"),
                    Instant.ofEpochSecond(600),
                    Instant.ofEpochSecond(900),
                    List.of(NodeId.of("n0")))));

    assertThat(two.at(600).pass()).containsExactly("migrate a");
    assertThat(two.nodesOf("a")).containsExactly("n1");
  }

  @Test
  void aJobMovesToANodeThatComesWithTheEventAtWhichMaintenanceBegins() {
    Session one =
        new Session(
            LiquidScheduler.builder(Session.cluster(4))
                .policy(Policies.bestEffortFifo())
                .backfill(Backfill.easy())
                .preemption(PreemptionRules.NONE.moving(1))
                .build());
    one.submit(aJob("a", 2));
    one.at(10)
        .on(
            new ClusterEvent.ReservationAnnounced(
                one.now(),
                new AdvanceReservation.Maintenance(
                    ReservationId.of("firmware"),
                    Instant.ofEpochSecond(600),
                    Instant.ofEpochSecond(900),
                    List.of(NodeId.of("n0")))));

    assertThat(one.at(601).add(Node.builder("n1").gpus(4, GpuModel.of("V100"), Memory.ofGib(16))))
        .containsExactly("migrate a");
    assertThat(one.nodesOf("a")).containsExactly("n1");
  }

  @Test
  void inATreeOfQueuesAnElasticJobGetsSmallerTheSameWay() {
    Session two = elastic(ResizeCost.NONE, 4, 4);
    two.on(
        new ClusterEvent.QueuesChanged(
            Instant.EPOCH, QueueTree.of(QueueSpec.named("a"), QueueSpec.named("b"))));
    two.submit(sized("e", 2, 8).queue("a"));
    two.at(10).on(draining("n1", 10, 600));
    two.submit(aJob("w", 4).queue("b").excludeNodes(List.of("n0")));

    assertThat(two.at(610).pass()).containsExactly("resize e to 4");
    assertThat(two.scheduler.status(JobId.of("e"))).get().isInstanceOf(JobStatus.Resizing.class);
    assertThat(two.last()).noneMatch(Decision.Preempt.class::isInstance);
  }

  private static ClusterEvent draining(String node, long second, long seconds) {
    return new ClusterEvent.NodeDraining(
        Instant.ofEpochSecond(second),
        NodeId.of(node),
        Optional.of(Instant.ofEpochSecond(second + seconds)));
  }

  /** Returns a job of the largest size that it may have. */
  private static JobSpec.Builder sized(String id, int least, int most) {
    return aJob(id, most).parallelism(Parallelism.between(least, most, most));
  }

  private static Session elastic(ResizeCost cost, int... gpusOfNodes) {
    return new Session(builder(cost, gpusOfNodes).build());
  }

  private static LiquidScheduler.Builder builder(ResizeCost cost, int... gpusOfNodes) {
    return LiquidScheduler.builder(Session.cluster(gpusOfNodes))
        .policy(Policies.bestEffortFifo())
        .elasticity(
            Elasticity.by(SizingPolicy.marginalGain())
                .cost(cost)
                .worthwhile(0)
                .coolDown(Duration.ofMinutes(1))
                .build());
  }
}
