package io.github.liquidscheduler.placement.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Nodes come and go while jobs run. */
class ChangedTopologyTest {

  @Test
  void aNodeInUseStaysThoughOthersLikeItAreIdle() {
    ClusterState state = ClusterState.of(cluster("n0", "n1", "n2"));
    start(state, "a", "n1");

    assertIsKept(state, "n1", "a");
  }

  @Test
  void aNodeInUseStaysAfterItMovedDownFromTheFirstPosition() {
    ClusterState state = ClusterState.of(cluster("n0", "n1"));
    start(state, "a", "n0");

    state.changeTopology(cluster("earlier", "n0", "n1"));

    assertIsKept(state, "n0", "a");
  }

  @Test
  void aNodeThatBecameIdleMayGo() {
    ClusterState state = ClusterState.of(cluster("n0", "n1", "n2"));
    start(state, "a", "n1");
    state.release(JobId.of("a"));

    state.changeTopology(state.topology().withoutNode(NodeId.of("n1")));

    assertThat(state.freeGpus()).isEqualTo(2);
  }

  @Test
  void aNodeThatStaysIsTheSame() {
    ClusterState state = ClusterState.of(cluster("n0", "n1"));
    Node other = Node.builder("n1").gpus(2, GpuModel.of("V100"), Memory.ofGib(16)).build();

    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                state.changeTopology(
                    cluster("n0", "n1").withoutNode(other.id()).withNode(other, List.of())))
        .withMessageStartingWith("a node that stays must not change, but ");
  }

  @Test
  void aNodeThatComesJoinsThoseWithGpusOfItsModelAndMemory() {
    ClusterState state =
        ClusterState.of(
            ClusterTopology.builder()
                .node(node("small", "A100", 40))
                .node(node("large", "A100", 80))
                .node(node("other", "H100", 80))
                .build());

    state.changeTopology(state.topology().withNode(node("later", "A100", 80), List.of()));
    state.changeTopology(state.topology().withNode(node("last", "A100", 40), List.of()));

    assertThat(pool(state, "later")).isEqualTo(pool(state, "large"));
    assertThat(pool(state, "last")).isEqualTo(pool(state, "small"));
    assertThat(state.index().pools()).hasSize(3);
  }

  @Test
  void nodesWithoutGpusComeAndGoBesideOthersLikeThem() {
    ClusterState state =
        ClusterState.of(
            ClusterTopology.builder()
                .node(node("gpu", "A100", 40))
                .node(Node.builder("first").cpu(CpuCores.of(1)).build())
                .node(Node.builder("second").cpu(CpuCores.of(2)).build())
                .build());

    state.changeTopology(
        state.topology().withNode(Node.builder("third").cpu(CpuCores.of(3)).build(), List.of()));
    assertThat(nodesWithoutGpus(state)).containsExactly("first", "second", "third");
    assertThat(state.freeCpu(NodeId.of("third"))).isEqualTo(CpuCores.of(3));

    state.changeTopology(state.topology().withoutNode(NodeId.of("second")));
    assertThat(nodesWithoutGpus(state)).containsExactly("first", "third");
    assertThat(state.freeCpu(NodeId.of("third"))).isEqualTo(CpuCores.of(3));
    assertThat(state.freeGpus()).isEqualTo(1);
  }

  private static List<String> nodesWithoutGpus(ClusterState state) {
    GpuPool pool =
        state.index().pools().stream()
            .filter(any -> any.model().isEmpty())
            .findFirst()
            .orElseThrow();
    return IntStream.range(0, pool.size())
        .mapToObj(slot -> state.topology().nodes().get(pool.nodeOf(slot)).id().value())
        .toList();
  }

  private static int pool(ClusterState state, String node) {
    return state.index().poolOf(state.topology().position(NodeId.of(node)), 0);
  }

  private static Node node(String id, String model, int gib) {
    return Node.builder(id).gpus(1, GpuModel.of(model), Memory.ofGib(gib)).build();
  }

  private static void assertIsKept(ClusterState state, String node, String job) {
    ClusterTopology without = state.topology().withoutNode(NodeId.of(node));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> state.changeTopology(without))
        .withMessage(
            "a node must be empty before it goes, but job '%s' runs on '%s'".formatted(job, node));
    assertThat(state.topology().contains(NodeId.of(node))).isTrue();
  }

  private static void start(ClusterState state, String job, String node) {
    TaskPlacement task =
        new TaskPlacement(
            new TaskId("worker", 0), NodeId.of(node), List.of(0), ResourceRequest.ofGpus(1));
    state.apply(new Placement(JobId.of(job), List.of(task)));
  }

  /** Returns a cluster of nodes with one GPU each. */
  private static ClusterTopology cluster(String... nodes) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    Arrays.stream(nodes)
        .map(id -> Node.builder(id).gpus(1, GpuModel.of("V100"), Memory.ofGib(16)).build())
        .forEach(cluster::node);
    return cluster.build();
  }
}
