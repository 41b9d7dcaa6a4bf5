package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.ResizeStep;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Nodes drain and get lost under jobs that are between two states. */
class BetweenStatesTest {

  private static final PreemptionRules GRACE =
      PreemptionRules.NONE.gracePeriod(Duration.ofMinutes(10));

  @Test
  void aStoppingJobHasStoppedOnceItsNodeIsLost() {
    Session two = session(2, 2);
    two.submit("low", 2);
    two.submit(aJob("other", 2).priority(2));
    two.at(5).submit(aJob("high", 2).priority(1));

    two.at(6).lose("n0");

    assertThat(two.scheduler.status(JobId.of("low")))
        .contains(new JobStatus.Waiting(Instant.ofEpochSecond(5)));
    assertThat(two.at(7).finish("other")).containsExactly("start high");
    assertThat(two.at(8).finish("high")).containsExactly("start low");
  }

  @Test
  void aStoppingJobGoesOnStoppingWhereItIsLeft() {
    Session two = session(2, 2);
    two.submit("low", 4);
    two.at(5).submit(aJob("high", 1).priority(1));
    assertThat(two.nodesOf("high")).containsExactly("n0");

    two.at(6).lose("n0");

    JobStatus.Stopping low = (JobStatus.Stopping) two.scheduler.status(JobId.of("low")).get();
    assertThat(low.placement().nodes()).containsExactly(NodeId.of("n1"));
    assertThat(two.last())
        .filteredOn(Decision.Start.class::isInstance)
        .extracting(start -> ((Decision.Start) start).after())
        .containsExactly(List.of(JobId.of("low")));
    two.at(7).lose("n1");
    assertThat(two.scheduler.status(JobId.of("low")))
        .contains(new JobStatus.Waiting(Instant.ofEpochSecond(5)));
  }

  @Test
  void aLostGpuHasStoppedTheTaskOnIt() {
    Session one = session(2);
    one.submit("low", 2);
    one.at(5).submit(aJob("high", 1).priority(1));

    one.at(6).loseGpu("n0", 1);
    JobStatus.Stopping low = (JobStatus.Stopping) one.scheduler.status(JobId.of("low")).get();
    assertThat(low.placement().gpus()).isOne();
    one.at(7).loseGpu("n0", 0);

    assertThat(one.scheduler.status(JobId.of("low")))
        .contains(new JobStatus.Waiting(Instant.ofEpochSecond(5)));
  }

  @Test
  void aStartThatWaitsIsTakenBackWhereItsNodeDrainsAndDecidedAgain() {
    Session two = session(2, 2);
    two.submit("a", 2);
    two.submit(aJob("b", 2).priority(2));
    two.at(5).submit(aJob("high", 2).priority(1));
    two.at(6).finish("b");

    assertThat(two.at(7).drain("n0")).containsExactly("preempt high", "start high");

    assertThat(two.last().getFirst())
        .isEqualTo(new Decision.Preempt(JobId.of("high"), new Reason.NodeDrained(NodeId.of("n0"))));
    assertThat(two.scheduler.status(JobId.of("high")))
        .contains(new JobStatus.Running(Instant.ofEpochSecond(7), Session.place("high on n1 0 1")));
    assertThat(two.record("high").preemptions()).isZero();
    assertThat(two.scheduler.status(JobId.of("a"))).containsInstanceOf(JobStatus.Stopping.class);
  }

  @Test
  void aStartThatWaitsIsTakenBackWhereItsNodeIsLost() {
    Session two = session(2, 2);
    two.submit("a", 2);
    two.submit(aJob("b", 2).priority(2));
    two.at(5).submit(aJob("high", 2).priority(1));

    assertThat(two.at(7).lose("n0")).containsExactly("preempt high");

    assertThat(two.record("high").preemptions()).isZero();
    assertThat(two.waiting()).containsExactly("high", "a");
  }

  @Test
  void aJobThatGetsLargerGoesBackIfTheNewNodeDrains() {
    Session two = elastic(2, 2);
    two.submit(sized("e", 2, 4));
    assertThat(two.at(1).pass()).containsExactly("resize e to 4");

    assertThat(two.at(2).on(draining("n1", 2, 60))).containsExactly("resize e to 2");

    assertThat(two.last().getFirst().why()).isEqualTo(new Reason.NodeDrained(NodeId.of("n1")));
    two.at(3).resizeReported("e", ResizeStep.SWITCHED);
    assertThat(two.at(62).pass()).isEmpty();
    assertThat(two.running()).containsExactly("e");
  }

  @Test
  void itGoesOnToANodeThatDrainsOnceItIsAboutToSwitch() {
    Session two = elastic(2, 2);
    two.submit(sized("e", 2, 4));
    two.at(1).pass();
    two.resizeReported("e", ResizeStep.READY);

    assertThat(two.at(2).on(draining("n1", 2, 60))).isEmpty();
    assertThat(two.at(62).pass()).containsExactly("resize e to 2");
  }

  @Test
  void whatItGivesUpOnALostNodeIsGone() {
    Session two = elastic(2, 2);
    two.submit(sized("e", 2, 4));
    two.at(1).pass();
    two.at(2).on(draining("n1", 2, 60));

    two.at(3).lose("n1");
    two.giveBack("n1");

    assertThat(two.submit("next", 2)).containsExactly("start next");
    assertThat(((Decision.Start) two.last().getFirst()).after()).isEmpty();
  }

  @Test
  void aJobThatGetsSmallerStopsIfTheNodeThatItLeavesIsLost() {
    Session two = shrinking();

    assertThat(two.at(4).lose("n1")).startsWith("preempt w", "preempt e");

    assertThat(two.scheduler.status(JobId.of("e")))
        .isNotEqualTo(Optional.empty())
        .get()
        .isNotInstanceOf(JobStatus.Resizing.class);
  }

  @Test
  void aJobThatGetsSmallerIsStoppedIfTheNodeThatItLeavesHasToBeEmpty() {
    Session two = shrinking();

    assertThat(two.at(4).on(draining("n1", 4, 60))).startsWith("preempt w");
    assertThat(two.at(64).pass()).startsWith("preempt e");
  }

  @Test
  void aNodeDoesNotRetireWhileAJobStopsThere() {
    Session two = session(2, 2);
    two.submit("low", 2);
    two.at(5).on(draining("n0", 5, 1));
    two.at(6).pass();

    assertThatThrownBy(() -> two.retire("n0"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "only a node without tasks can retire, but job 'low' is still leaving node 'n0'."
                + " Report it as stopped first");
    two.stop("low");
    two.retire("n0");
  }

  /** Returns a session in which job e gives up node n1 for w, which waits for it. */
  private static Session shrinking() {
    Session two = elastic(2, 2);
    two.submit(sized("e", 2, 4));
    two.at(1).pass();
    two.resizeReported("e", ResizeStep.SWITCHED);
    assertThat(two.at(3).submit("w", 2)).containsExactly("resize e to 2", "start w");
    assertThat(two.nodesOf("w")).containsExactly("n1");
    return two;
  }

  private static ClusterEvent draining(String node, long second, long seconds) {
    return new ClusterEvent.NodeDraining(
        Instant.ofEpochSecond(second),
        NodeId.of(node),
        Optional.of(Instant.ofEpochSecond(second + seconds)));
  }

  private static JobSpec.Builder sized(String id, int preferred, int most) {
    return aJob(id, preferred).parallelism(Parallelism.between(1, preferred, most));
  }

  private static Session session(int... gpusOfNodes) {
    return new Session(
        LiquidScheduler.builder(Session.cluster(gpusOfNodes))
            .policy(Policies.priority())
            .preemption(GRACE)
            .build());
  }

  /** Returns a session in which jobs change their sizes after a second. */
  private static Session elastic(int... gpusOfNodes) {
    return new Session(
        LiquidScheduler.builder(Session.cluster(gpusOfNodes))
            .policy(Policies.bestEffortFifo())
            .preemption(GRACE)
            .elasticity(
                Elasticity.by(SizingPolicy.marginalGain())
                    .cost(ResizeCost.NONE)
                    .worthwhile(0)
                    .coolDown(Duration.ofSeconds(1))
                    .build())
            .build());
  }
}
