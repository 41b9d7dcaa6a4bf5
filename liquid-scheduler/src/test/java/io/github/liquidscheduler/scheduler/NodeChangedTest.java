package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nodes of four GPUs and eight cores change while jobs run there. */
class NodeChangedTest {

  private Session session = session(PreemptionRules.NONE.gracePeriod(Duration.ofSeconds(60)));

  private static Session session(PreemptionRules rules) {
    return new Session(
        LiquidScheduler.builder(
                ClusterTopology.builder()
                    .node(node("n0", 4).build())
                    .node(node("n1", 4).label("zone", "a").build())
                    .build())
            .policy(Policies.priority())
            .preemption(rules)
            .build());
  }

  @Test
  void aNodeThatHasLessThanIsHeldTakesNothingUntilEnoughHasBeenLeft() {
    session.submit(onFirst("a", 6));

    assertThat(changes(node("n0", 4).cpu(CpuCores.of(4)))).isEmpty();

    assertThat(session.running()).containsExactly("a");
    assertThat(session.submit(onFirst("b", 1))).isEmpty();
    assertThat(session.explain("b").unmetConstraints().stream().map(UnmetConstraint::describe))
        .anySatisfy(text -> assertThat(text).contains("until enough has been left"));
    assertThat(session.finish("a")).containsExactly("start b");
  }

  @Test
  void jobsThatWaitAreTriedOnIt() {
    session.submit("a", 4);
    session.submit("b", 4);
    session.submit(aJob("zoned", 1).nodeLabel("zone", "a"));
    session.submit("c", 2);

    assertThat(changes(node("n0", 6))).containsExactly("start c");
    assertThat(changes(node("n0", 7).label("zone", "a"))).containsExactly("start zoned");
  }

  @Test
  void whatRunsGoesOnWhereItMightNotStartAndSurvivesARestart() {
    session = session(PreemptionRules.NONE);
    session.submit(aJob("zoned", 1).nodeLabel("zone", "a"));

    assertThat(changes(node("n1", 4).label("zone", "b"))).isEmpty();

    assertThat(session.nodesOf("zoned")).containsExactly("n1");
    Session restored = session.restored();
    assertThat(restored.scheduler.snapshot()).isEqualTo(session.scheduler.snapshot());
    assertThat(restored.nodesOf("zoned")).containsExactly("n1");
  }

  @Test
  void aStartThatHasNotBegunIsTakenBackAndTriedAgain() {
    session.submit(onFirst("a", 1).priority(0));
    session.submit(aJob("b", 4));
    session.at(10);
    assertThat(session.submit(aJob("c", 4).priority(5).excludeNodes(List.of("n1"))))
        .containsExactly("preempt a", "start c");

    assertThat(changes(node("n0", 2))).startsWith("preempt c");
    assertThat(session.waiting()).contains("c");
  }

  @Test
  void onlyGpusThatNobodyHasMayGo() {
    session.submit(onFirst("a", 1));

    changes(node("n0", 1));

    assertThat(session.submit(aJob("b", 1))).containsExactly("start b");
    assertThat(session.nodesOf("b")).containsExactly("n1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> changes(node("n0", 0)))
        .withMessage(
            "a node must keep the GPUs that tasks have, as they are, but job 'a' has others of node"
                + " 'n0'. Drain it first");
  }

  @Test
  void diskAndCopiesStay() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> changes(node("n0", 4).disk(Memory.ofGib(1))))
        .withMessageStartingWith("a node that changes must keep its disk and copies");
  }

  private List<String> changes(Node.Builder node) {
    return session.on(new ClusterEvent.NodeChanged(session.now(), node.build()));
  }

  private static JobSpec.Builder onFirst(String id, int cores) {
    return JobSpec.builder(id)
        .role("w", 1, ResourceRequest.builder().gpus(1).cpu(CpuCores.of(cores)).build())
        .excludeNodes(List.of("n1"));
  }

  private static Node.Builder node(String id, int gpus) {
    return Node.builder(id).gpus(gpus, GpuModel.of("V100"), Memory.ofGib(16)).cpu(CpuCores.of(8));
  }
}
