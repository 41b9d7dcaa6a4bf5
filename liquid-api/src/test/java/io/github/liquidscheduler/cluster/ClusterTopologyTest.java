package io.github.liquidscheduler.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ClusterTopologyTest {

  private static final GpuModel V100 = GpuModel.of("V100");
  private static final Memory MEMORY = Memory.ofGib(16);

  /** Two zones; the first has racks, the second none. */
  private static final ClusterTopology UNEVEN =
      ClusterTopology.builder()
          .levels("zone", "rack")
          .domain(Domain.of("zone", "east"))
          .domain(Domain.of("zone", "west"))
          .domain(Domain.of("rack", "e1").in("east"))
          .domain(Domain.of("rack", "e2").in("east"))
          .node(aNode("w-a").domain("west").build())
          .node(aNode("e2-a").domain("e2").build())
          .node(aNode("e1-a").domain("e1").build())
          .node(aNode("e1-b").domain("e1").build())
          .node(aNode("e-a").domain("east").build())
          .node(aNode("loose").build())
          .build();

  @Test
  void nodesStandInTheOrderOfAWalk() {
    assertThat(UNEVEN.nodes())
        .extracting(node -> node.id().value())
        .containsExactly("loose", "e-a", "e1-a", "e1-b", "e2-a", "w-a");
    assertThat(UNEVEN.domains())
        .extracting(domain -> domain.id().value())
        .containsExactly("east", "e1", "e2", "west");
  }

  @Test
  void theNodesOfADomainAreNeighbours() {
    assertThat(UNEVEN.nodesOf(DomainId.of("east"))).isEqualTo(new NodeRange(1, 5));
    assertThat(UNEVEN.nodesOf(DomainId.of("e1"))).isEqualTo(new NodeRange(2, 4));
    assertThat(UNEVEN.nodesOf(DomainId.of("west"))).isEqualTo(new NodeRange(5, 6));
  }

  @Test
  void aBranchMayLeaveALevelOut() {
    assertThat(UNEVEN.domainOf(NodeId.of("e1-a"), "rack"))
        .map(Domain::id)
        .contains(DomainId.of("e1"));
    assertThat(UNEVEN.domainOf(NodeId.of("e1-a"), "zone"))
        .map(Domain::id)
        .contains(DomainId.of("east"));
    assertThat(UNEVEN.domainOf(NodeId.of("w-a"), "rack")).isEmpty();
    assertThat(UNEVEN.domainOf(NodeId.of("loose"), "zone")).isEmpty();
  }

  @Test
  void theClusterAndTheNodesAreLevelsToo() {
    assertThat(UNEVEN.levels()).containsExactly("cluster", "zone", "rack", "node");
    assertThat(UNEVEN.levelPosition("rack")).contains(2);
    assertThat(UNEVEN.levelPosition("row")).isEmpty();
  }

  @Test
  void gpusAreCountedByModelAndPosition() {
    ClusterTopology cluster =
        ClusterTopology.builder()
            .node(Node.builder("a").gpus(4, V100, MEMORY).build())
            .node(Node.builder("b").gpus(2, GpuModel.of("K80"), MEMORY).build())
            .build();

    assertThat(cluster.gpuCount()).isEqualTo(6);
    assertThat(cluster.gpusBefore(1)).isEqualTo(4);
    assertThat(cluster.gpusByModel()).hasToString("{K80=2, V100=4}");
    assertThat(cluster.gpu(GpuId.of("b", 1)).model()).isEqualTo(GpuModel.of("K80"));
    assertThat(cluster).hasToString("cluster of 2 nodes with 6 GPUs {K80=2, V100=4}");
  }

  @Test
  void whatIsNotThereIsNotFound() {
    assertThat(UNEVEN.contains(NodeId.of("x"))).isFalse();
    assertThat(UNEVEN.contains(GpuId.of("e-a", 1))).isFalse();
    assertThat(UNEVEN.contains(DomainId.of("x"))).isFalse();
    refuses(() -> UNEVEN.node(NodeId.of("x")), "the cluster has no node 'x'");
    refuses(() -> UNEVEN.gpu(GpuId.of("e-a", 1)), "the cluster has no GPU 'e-a:1'");
    refuses(() -> UNEVEN.domain(DomainId.of("x")), "the cluster has no domain 'x'");
  }

  @Test
  void aNodeIsAddedWithItsDomains() {
    ClusterTopology grown =
        UNEVEN.withNode(
            aNode("w1-a").domain("w1").build(), List.of(Domain.of("rack", "w1").in("west")));

    assertThat(grown.nodes())
        .extracting(node -> node.id().value())
        .containsExactly("loose", "e-a", "e1-a", "e1-b", "e2-a", "w-a", "w1-a");
    assertThat(grown.nodesOf(DomainId.of("west"))).isEqualTo(new NodeRange(5, 7));
    assertThat(grown.withoutNode(NodeId.of("w1-a")).nodes()).isEqualTo(UNEVEN.nodes());
  }

  @Test
  void aNodeIsAddedAmongItsNeighbours() {
    ClusterTopology grown = UNEVEN.withNode(aNode("e1-c").domain("e1").build(), List.of());

    assertThat(grown.nodesOf(DomainId.of("e1"))).isEqualTo(new NodeRange(2, 5));
    assertThat(grown.withoutNode(NodeId.of("e1-c"))).isEqualTo(UNEVEN);
  }

  @Test
  void whatIsThereIsNotAddedAndWhatIsNotThereDoesNotLeave() {
    refuses(() -> UNEVEN.withNode(aNode("e-a").build(), List.of()), "node 'e-a' was added twice");
    refuses(
        () -> UNEVEN.withNode(aNode("x").build(), List.of(Domain.of("rack", "e1"))),
        "domain 'e1' was added twice");
    refuses(() -> UNEVEN.withoutNode(NodeId.of("x")), "the cluster has no node 'x'");
  }

  @Test
  void otherNodesHangOnTheSameDomains() {
    ClusterTopology other =
        UNEVEN.withNodes(List.of(aNode("a").domain("e2").build(), aNode("b").build()));

    assertThat(other.levels()).isEqualTo(UNEVEN.levels());
    assertThat(other.domains()).isEqualTo(UNEVEN.domains());
    assertThat(other.nodes()).extracting(Node::id).containsExactly(NodeId.of("b"), NodeId.of("a"));
    assertThat(other.nodesOf(DomainId.of("east"))).isEqualTo(new NodeRange(1, 2));
    refuses(
        () -> UNEVEN.withNodes(List.of(aNode("a").build(), aNode("a").build())),
        "node 'a' was added twice");
  }

  @Test
  void aClusterHasANode() {
    refuses(ClusterTopology.builder()::build, "a cluster needs at least one node, but had none");
    refuses(() -> UNEVEN.withNodes(List.of()), "a cluster needs at least one node, but had none");
  }

  @Test
  void levelsHaveDistinctNames() {
    ClusterTopology.Builder cluster = ClusterTopology.builder().node(aNode("n").build());

    refuses(
        cluster.levels("rack", "rack")::build,
        "levels must have distinct names other than 'cluster' and 'node',"
            + " but were [rack, rack]");
    refuses(
        cluster.levels("node")::build,
        "levels must have distinct names other than 'cluster' and 'node', but were [node]");
  }

  @Test
  void aDomainIsOfALevelThatIsThere() {
    refuses(
        ClusterTopology.builder().levels("rack").domain(Domain.of("row", "r1"))::build,
        "a domain's level must be one of [rack], but was 'row', for domain 'r1'");
  }

  @Test
  void aDomainHangsOnAWiderOne() {
    ClusterTopology.Builder cluster = ClusterTopology.builder().levels("zone", "rack");

    refuses(
        cluster.domain(Domain.of("rack", "r1").in("east"))::build,
        "domain 'r1' hangs on domain 'east', which was not added");
    refuses(
        cluster.domain(Domain.of("rack", "east"))::build,
        "a domain must hang on one of a wider level, but rack 'r1' hangs on rack 'east'");
  }

  @Test
  void aNodeHangsOnADomainThatIsThere() {
    refuses(
        ClusterTopology.builder().node(aNode("n").domain("r1").build())::build,
        "node 'n' hangs on domain 'r1', which was not added");
  }

  @Test
  void nothingIsAddedTwice() {
    ClusterTopology.Builder cluster =
        ClusterTopology.builder()
            .levels("rack")
            .domain(Domain.of("rack", "r1"))
            .node(aNode("n").build());

    refuses(() -> cluster.node(aNode("n").build()), "node 'n' was added twice");
    refuses(() -> cluster.domain(Domain.of("rack", "r1")), "domain 'r1' was added twice");
  }

  @Test
  void aClusterHasAtMostAHundredLevels() {
    String[] levels =
        IntStream.rangeClosed(0, 100).mapToObj(each -> "l" + each).toArray(String[]::new);

    refuses(
        ClusterTopology.builder().levels(levels).node(aNode("n").build())::build,
        "a cluster must have at most 100 levels, but had 101");
  }

  @Test
  void aNodeHasAtMostAThousandGpus() {
    refuses(
        Node.builder("n").gpus(1024, V100, MEMORY).gpu(Gpu.of(V100, MEMORY))::build,
        "a node must have at most 1024 GPUs, but had 1025, for node 'n'");
    refuses(
        () -> Node.builder("n").gpus(1025, V100, MEMORY),
        "a node must have at most 1024 GPUs, but had 1025, for node 'n'");
    refuses(
        () -> Node.builder("n").gpus(-1, V100, MEMORY),
        "a node's GPUs must not be negative, but were -1, for node 'n'");
  }

  @Test
  void partsThatCannotBeAreRefused() {
    refuses(() -> NodeId.of(" "), "a node id must not be blank");
    refuses(() -> DomainId.of(""), "a domain id must not be blank");
    refuses(() -> GpuId.of("n", -1), "a GPU index must not be negative, but was -1, on node 'n'");
    refuses(
        () -> new Gpu(V100, MEMORY, -1, 0),
        "a GPU's NVLink group and NUMA node must not be negative, but were -1 and 0");
    refuses(() -> Link.of(Bandwidth.ZERO), "a link's bandwidth must be more than zero");
    refuses(
        () -> new Link(Bandwidth.UNLIMITED, Duration.ofNanos(-1)),
        "a link's latency must not be negative, but was PT-0.000000001S");
    refuses(() -> new NodeRange(3, 2), "a node range must be 0 <= first <= end, but was 3 to 2");
  }

  private static Node.Builder aNode(String id) {
    return Node.builder(id).gpus(1, V100, MEMORY);
  }

  private static void refuses(ThrowingCallable code, String message) {
    assertThatIllegalArgumentException().isThrownBy(code).withMessage(message);
  }
}
