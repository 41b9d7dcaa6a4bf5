package io.github.liquidscheduler.scheduler.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NodeFailuresTest {

  private static final NodeId N0 = NodeId.of("n0");
  private static final NodeId N1 = NodeId.of("n1");
  private static final NodeId N2 = NodeId.of("n2");
  private static final Instant SOON = Instant.ofEpochSecond(10);
  private static final Instant LATER = Instant.ofEpochSecond(20);

  private final ClusterState cluster = whole();
  private final NodeFailures failures = new NodeFailures(cluster);

  @Test
  void theNextDeadlineIsTheEarliest() {
    assertThat(failures.nextDeadline()).isEmpty();
    failures.drain(N0, Optional.of(LATER));
    failures.drain(N1, Optional.of(SOON));
    failures.drain(N2, Optional.empty());

    assertThat(failures.nextDeadline()).contains(SOON);
    assertThat(failures.deadline(N0)).contains(LATER);
    assertThat(failures.deadline(N2)).isEmpty();
    assertThat(failures.draining()).containsExactly(N0, N1, N2);
  }

  @Test
  void aNodeIsDueOnceAndFromItsDeadlineOn() {
    failures.drain(N0, Optional.of(LATER));
    failures.drain(N1, Optional.of(SOON));

    assertThat(failures.takeDue(SOON.minusNanos(1))).isEmpty();
    assertThat(failures.takeDue(SOON)).containsExactly(N1);
    assertThat(failures.takeDue(SOON)).isEmpty();
    assertThat(failures.takeDue(LATER)).containsExactly(N0);
    assertThat(failures.draining()).containsExactly(N0, N1);
  }

  @Test
  void aLostOrReturnedNodeNoLongerDrains() {
    failures.drain(N0, Optional.of(SOON));
    failures.drain(N1, Optional.of(SOON));
    failures.fail(N0);
    failures.restore(N1);

    assertThat(failures.draining()).isEmpty();
    assertThat(failures.nextDeadline()).isEmpty();
    assertThat(failures.lostNodes()).containsExactly(N0);
    assertThat(cluster.health(N0)).isEqualTo(NodeHealth.LOST);
    assertThat(cluster.health(N1)).isEqualTo(NodeHealth.UP);

    failures.restore(N0);

    assertThat(failures.lostNodes()).isEmpty();
    assertThat(cluster.health(N0)).isEqualTo(NodeHealth.UP);
  }

  @Test
  void aGpuIsLostUntilItIsThereAgain() {
    failures.fail(new GpuId(N0, 1));
    failures.fail(new GpuId(N1, 0));
    assertThat(cluster.isLost(new GpuId(N0, 1))).isTrue();

    failures.restore(new GpuId(N0, 1));

    assertThat(failures.lostGpus()).containsExactly(new GpuId(N1, 0));
    assertThat(cluster.isLost(new GpuId(N0, 1))).isFalse();
  }

  @Test
  void aRetiredNodeIsForgotten() {
    failures.drain(N0, Optional.of(SOON));
    failures.fail(N1);
    failures.fail(new GpuId(N1, 0));
    failures.fail(new GpuId(N2, 0));
    failures.forget(N0);
    failures.forget(N1);

    assertThat(failures.draining()).isEmpty();
    assertThat(failures.nextDeadline()).isEmpty();
    assertThat(failures.lostNodes()).isEmpty();
    assertThat(failures.lostGpus()).containsExactly(new GpuId(N2, 0));
  }

  @Test
  void aCopyIsIndependent() {
    failures.drain(N0, Optional.of(SOON));
    failures.fail(N1);
    failures.fail(new GpuId(N2, 0));
    NodeFailures copy = failures.copy(cluster.copy());
    failures.restore(N0);
    failures.restore(N1);
    failures.restore(new GpuId(N2, 0));

    assertThat(copy.draining()).containsExactly(N0);
    assertThat(copy.deadline(N0)).contains(SOON);
    assertThat(copy.lostNodes()).containsExactly(N1);
    assertThat(copy.lostGpus()).containsExactly(new GpuId(N2, 0));
    assertThat(failures.draining()).isEmpty();
  }

  @Test
  void aRolledBackTurnRestoresTheFailuresBefore() {
    failures.drain(N0, Optional.of(SOON));
    failures.fail(N1);
    failures.fail(new GpuId(N2, 0));
    failures.mark();
    failures.takeDue(SOON);
    failures.restore(N1);
    failures.restore(new GpuId(N2, 0));
    failures.fail(N2);

    failures.rollBack();

    assertThat(failures.draining()).containsExactly(N0);
    assertThat(failures.deadline(N0)).contains(SOON);
    assertThat(failures.lostNodes()).containsExactly(N1);
    assertThat(failures.lostGpus()).containsExactly(new GpuId(N2, 0));
    assertThat(cluster.health(N0)).isEqualTo(NodeHealth.DRAINING);
    assertThat(cluster.health(N1)).isEqualTo(NodeHealth.LOST);
    assertThat(cluster.isLost(new GpuId(N2, 0))).isTrue();
    assertThat(cluster.health(N2)).isEqualTo(NodeHealth.UP);
  }

  static Stream<Named<Consumer<NodeFailures>>> changes() {
    return Stream.of(
        Named.of("drain", changed -> changed.drain(N2, Optional.of(LATER))),
        Named.of("lose a node", changed -> changed.fail(N2)),
        Named.of("lose a GPU", changed -> changed.fail(new GpuId(N0, 1))),
        Named.of("restore a node", changed -> changed.restore(N1)),
        Named.of("restore a GPU", changed -> changed.restore(new GpuId(N2, 0))),
        Named.of("forget", changed -> changed.forget(N0)),
        Named.of("pass the deadline", changed -> changed.takeDue(SOON)));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void everyKindOfChangeIsRolledBack(Consumer<NodeFailures> change) {
    failures.drain(N0, Optional.of(SOON));
    failures.fail(N1);
    failures.fail(new GpuId(N2, 0));
    failures.mark();
    change.accept(failures);

    failures.rollBack();

    assertThat(failures.draining()).containsExactly(N0);
    assertThat(failures.deadline(N0)).contains(SOON);
    assertThat(failures.lostNodes()).containsExactly(N1);
    assertThat(failures.lostGpus()).containsExactly(new GpuId(N2, 0));
  }

  private static ClusterState whole() {
    return ClusterState.of(
        ClusterTopology.builder().node(node("n0")).node(node("n1")).node(node("n2")).build());
  }

  private static Node node(String id) {
    return Node.builder(id).gpus(2, GpuModel.of("V100"), Memory.ofGib(16)).build();
  }
}
