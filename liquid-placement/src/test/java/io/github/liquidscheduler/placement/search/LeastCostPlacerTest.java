package io.github.liquidscheduler.placement.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.gang.BestFitPlacer;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LeastCostPlacerTest {

  private static final GpuModel V100 = GpuModel.of("V100");
  private static final Communication PARAMETER_SERVER =
      new Communication.ParameterServer("ps", "worker", 500_000_000L);

  private final LeastCostPlacer placer = LeastCostPlacer.physical();

  @Test
  void aServerMeetsAWorkerWhereANodeHoldsTwoTasks() {
    ClusterState state = nodes(4, 2);

    assertThat(nodesOf(place(state, trio()))).containsExactly("n0", "n0", "n1");
  }

  @Test
  void aServerAndItsWorkersShareANodeThatHoldsThem() {
    ClusterState state = nodes(4, 4);

    assertThat(nodesOf(place(state, trio()))).containsExactly("n0", "n0", "n0");
  }

  @Test
  void aServerDoesNotGoAloneWhereOneGpuIsLeftOver() {
    ClusterState state = nodes(4, 2);
    JobSpec single = JobSpec.builder("single").gpus(1).build();
    BestFitPlacer.bestFit().place(state, single).ifPresent(place -> state.apply(single, place));

    List<String> nodes = nodesOf(place(state, trio()));

    assertThat(nodes.get(0)).isIn(nodes.subList(1, 3));
  }

  @Test
  void busyNetworkCardsAreLeftAlone() {
    ClusterState state = nodes(6, 8);
    JobSpec busy = ring("busy", 12);
    Placement there = place(state, busy);
    state.apply(busy, there);

    Placement placement = place(state, ring("next", 16));

    assertThat(placement.nodes()).doesNotContainAnyElementsOf(there.nodes());
  }

  @Test
  void aJobThatSendsNothingGoesWhereBestFitPutsIt() {
    ClusterState state = nodes(4, 8);
    JobSpec quiet = JobSpec.builder("quiet").gpus(5).build();

    assertThat(placer.place(state, quiet)).isEqualTo(BestFitPlacer.bestFit().place(state, quiet));
  }

  @Test
  void aGangGetsGpusOfBothKindsThatItsNodesHave() {
    ClusterState state =
        nodes(
            4,
            node ->
                Node.builder("n" + node)
                    .gpus(2, V100, Memory.ofGib(16))
                    .gpus(2, GpuModel.of("A100"), Memory.ofGib(40))
                    .nic(Link.of(Bandwidth.ofGigabitsPerSecond(10 + node))));

    Placement placement = place(state, ring("both", 11));

    assertThat(placement.gpus()).isEqualTo(11);
  }

  @Test
  void workersThatDoNotFitBesideTheirServerGetANodeEach() {
    JobSpec job =
        JobSpec.builder("fan")
            .role("ps", 1, ResourceRequest.ofGpus(1))
            .role("worker", 10, ResourceRequest.ofGpus(1))
            .communication(new Communication.ParameterServer("ps", "worker", 100_000_000))
            .build();
    ClusterState state =
        nodes(
            6,
            node ->
                Node.builder("n" + node)
                    .gpus(8, V100, Memory.ofGib(16))
                    .nic(Link.of(Bandwidth.ofGigabitsPerSecond(25)))
                    .nvlink(Bandwidth.ofGigabytesPerSecond(200)));

    List<String> nodes = nodesOf(place(state, job));

    assertThat(nodes.stream().distinct())
        .extracting(node -> Collections.frequency(nodes, node))
        .containsExactlyInAnyOrder(8, 1, 1, 1);
  }

  private Placement place(ClusterState state, JobSpec job) {
    return placer.place(state, job).orElseThrow();
  }

  private static List<String> nodesOf(Placement placement) {
    return placement.tasks().stream().map(TaskPlacement::node).map(Object::toString).toList();
  }

  private static JobSpec trio() {
    return JobSpec.builder("trio")
        .role("ps", 1, ResourceRequest.ofGpus(1))
        .role("worker", 2, ResourceRequest.ofGpus(1))
        .communication(PARAMETER_SERVER)
        .build();
  }

  private static JobSpec ring(String id, int gpus) {
    return JobSpec.builder(id)
        .role("worker", gpus, ResourceRequest.ofGpus(1))
        .communication(new Communication.AllReduce(500_000_000L))
        .build();
  }

  private static ClusterState nodes(int nodes, int gpus) {
    return nodes(
        nodes,
        node ->
            Node.builder("n" + node)
                .gpus(gpus, V100, Memory.ofGib(16))
                .nic(Link.of(Bandwidth.ofGigabitsPerSecond(10))));
  }

  private static ClusterState nodes(int nodes, IntFunction<Node.Builder> node) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    IntStream.range(0, nodes).mapToObj(node).map(Node.Builder::build).forEach(cluster::node);
    return ClusterState.of(cluster.build());
  }
}
