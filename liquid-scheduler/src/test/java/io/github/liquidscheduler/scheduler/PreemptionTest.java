package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.colocation.AnyCoRunner;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PreemptionTest {

  private final Session session = Session.of(Policies.priority(), 4, 4);

  @Test
  void aHigherPriorityPreemptsALower() {
    submit("low", 8, 0);

    assertThat(submit("high", 8, 1)).containsExactly("preempt low", "start high");
    assertThat(session.last().get(0).why())
        .isEqualTo(new Reason.PreemptedByPriority("priority", JobId.of("high")));
    assertThat(session.waiting()).containsExactly("low");
    assertThat(session.record("low").preemptions()).isEqualTo(1);
  }

  @Test
  void aPreemptedJobRestartsWhenCapacityIsFree() {
    submit("low", 8, 0);
    session.at(60);
    submit("high", 8, 1);

    assertThat(session.at(120).finish("high")).containsExactly("start low");
    assertThat(session.record("low").executed()).isEqualTo(Duration.ofMinutes(1));
    assertThat(session.record("low").attained()).isEqualTo(Duration.ofMinutes(8));
  }

  @Test
  void whatEndsAtTheInstantOfItsStartLeavesItsCapacityAtOnce() {
    Session steps =
        new Session(
                LiquidScheduler.builder(Session.cluster(3, 3))
                    .policy(Policies.priority())
                    .placer(Placers.colocating(Colocation.builder(new AnyCoRunner()).build()))
                    .build())
            .stepByStep();
    steps.submit("low", 1);
    assertThat(
            steps.submit(
                JobSpec.builder("high").role("worker", 2, ResourceRequest.ofGpus(3)).priority(1)))
        .isEmpty();

    assertThat(steps.finish("low")).containsExactly("start high");
  }

  @Test
  void equalPriorityNeverPreempts() {
    submit("a", 8, 1);

    assertThat(submit("b", 8, 1)).isEmpty();
  }

  @Test
  void aJobThatMayNotBeStoppedIsLeftAlone() {
    session.submit(aJob("low", 8).preemptible(false));

    assertThat(submit("high", 1, 1)).isEmpty();
  }

  @Test
  void nobodyIsStoppedIfItWouldNotHelp() {
    session.submit(aJob("fixed", 2).preemptible(false));
    submit("low", 4, 0);

    assertThat(submit("high", 7, 1)).isEmpty();
    assertThat(session.running()).containsExactly("fixed", "low");
  }

  @Test
  void theLowestPriorityGoesFirst() {
    submit("one", 4, 1);
    submit("zero", 4, 0);

    assertThat(submit("high", 4, 2)).containsExactly("preempt zero", "start high");
  }

  @Test
  void amongEqualsTheLastSubmittedGoesFirst() {
    submit("a", 4, 0);
    submit("b", 4, 0);

    assertThat(submit("high", 4, 2)).containsExactly("preempt b", "start high");
  }

  @Test
  void ofEqualPriorityTheOneThatLosesLeastGoesWhicheverCameFirst() {
    for (boolean isGangFirst : new boolean[] {true, false}) {
      Session on = Session.of(Policies.priority(), 8, 8);
      on.submit(isGangFirst ? aJob("gang", 15) : aJob("small", 1));
      on.at(60).submit(isGangFirst ? aJob("small", 1) : aJob("gang", 15));

      assertThat(on.at(36_000).submit(aJob("high", 1).priority(9)))
          .containsExactly("preempt small", "start high");
    }
  }

  /** Each small one has lost less GPU time than the gang, all of them together more. */
  @Test
  void forManyGpusAGangLeavesThatHasRunForLessTimeThanManySmallOnes() {
    Session on = Session.of(Policies.priority(), 4, 4);
    for (int n = 0; n < 4; n++) {
      on.submit(aJob("small" + n, 1));
    }
    on.at(60).submit(aJob("gang", 4));

    assertThat(on.at(600).submit(aJob("high", 4).priority(9)))
        .containsExactly("preempt gang", "start high");
  }

  @Test
  void whoNeedNotGoStays() {
    submit("large", 4, 1);
    submit("small", 4, 0);

    // One node is asked for: the smaller priority alone is not enough on the other node.
    assertThat(session.submit(oneTask("high", 4, 2)))
        .containsExactly("preempt small", "start high");
    assertThat(session.running()).containsExactly("large", "high");
  }

  @Test
  void theLowestIsSparedIfItsGpusDoNotHelp() {
    Session mixed = Session.of(Policies.priority(), 1, 4);
    mixed.submit(oneTask("big", 4, 1));
    mixed.submit(oneTask("tiny", 1, 0));

    assertThat(mixed.submit(oneTask("high", 4, 2))).containsExactly("preempt big", "start high");
    assertThat(mixed.running()).containsExactly("tiny", "high");
  }

  @Test
  void aStoppedJobMayStartElsewhereWithinTheSameEvent() {
    Session uneven = Session.of(Policies.priority(), 4, 2);
    uneven.submit(oneTask("gone", 2, 0));
    uneven.submit(oneTask("a", 2, 1));
    uneven.submit(oneTask("b", 2, 1));
    uneven.finish("gone");

    // Both are on the larger node, and the smaller one is free.
    assertThat(uneven.submit(oneTask("high", 4, 2)))
        .containsExactly("preempt b", "preempt a", "start high", "start a");
  }

  @Test
  void whatAPreemptionLeavesOverIsUsedByThoseBehind() {
    Session node = Session.of(Policies.priority(), 4);
    node.submit(aJob("victim", 4).priority(1));
    node.submit(aJob("behind", 2).priority(0));

    assertThat(node.submit(aJob("high", 2).priority(2)))
        .containsExactly("preempt victim", "start high", "start behind");
  }

  @Test
  void aHigherPriorityIsServedFirstWhenCapacityIsFreed() {
    session.submit(aJob("fixed", 8).preemptible(false));
    submit("low", 8, 0);
    submit("high", 8, 1);

    assertThat(session.finish("fixed")).containsExactly("start high");
  }

  @Test
  void aStoppedJobIsNotStartedOnADrainingNode() {
    submit("low", 4, 0);
    session.drain("n0");

    assertThat(session.submit(oneTask("high", 4, 1))).containsExactly("start high");
    assertThat(placement(0).placement().nodes()).containsExactly(NodeId.of("n1"));
    assertThat(submit("higher", 4, 2)).containsExactly("preempt high", "start higher");
    assertThat(session.running()).containsExactly("low", "higher");
  }

  @Test
  void aFailedVictimSearchKeepsTheOrderOfStarts() {
    ClusterTopology cluster = Session.cluster(2, 2, 2);
    Session three =
        new Session(LiquidScheduler.builder(cluster).policy(Policies.priority()).build());
    three.submit(aJob("fixed", 2).preemptible(false));
    three.submit(oneTask("a", 1, 0));
    three.submit(oneTask("b", 1, 0));
    three.submit(oneTask("c", 2, 0));

    assertThat(three.submit(aJob("high", 5).priority(1))).isEmpty();
    assertThat(three.running()).containsExactly("fixed", "a", "b", "c");
  }

  private List<String> submit(String id, int gpus, int priority) {
    return session.submit(aJob(id, gpus).priority(priority));
  }

  private static JobSpec.Builder oneTask(String id, int gpus, int priority) {
    return JobSpec.builder(id).role("worker", 1, ResourceRequest.ofGpus(gpus)).priority(priority);
  }

  private Decision.Start placement(int position) {
    return (Decision.Start) session.last().get(position);
  }

  @Test
  void capacityThatGrewWhileAnotherJobWasAheadCounts() {
    Session session = Session.of(new BlockingPriority(), 2, 2, 2);
    session.submit(aJob("a", 2).priority(5));
    session.submit(aJob("b", 2).priority(5));
    session.submit(aJob("low", 2));
    session.submit(aJob("w", 4).priority(1));
    session.submit(aJob("ahead", 6).priority(3));

    assertThat(session.finish("a")).isEmpty();

    assertThat(session.cancel("ahead")).containsExactly("preempt low", "start w");
  }
}
