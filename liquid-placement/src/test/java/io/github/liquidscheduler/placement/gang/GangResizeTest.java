package io.github.liquidscheduler.placement.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How gangs get larger and smaller on racks r0 (n0, n1), r1 (n2, n3) and, of A100s, r2 (n4). */
class GangResizeTest {

  private final ClusterState cluster = cluster();

  private static ClusterState cluster() {
    ClusterTopology.Builder topology = ClusterTopology.builder().levels("rack");
    for (int rack = 0; rack < 3; rack++) {
      topology.domain(Domain.of("rack", "r" + rack));
    }
    for (int node = 0; node < 4; node++) {
      topology.node(
          Node.builder("n" + node)
              .gpus(4, GpuModel.of("V100"), Memory.ofGib(16))
              .domain("r" + node / 2)
              .build());
    }
    topology.node(
        Node.builder("n4").gpus(8, GpuModel.of("A100"), Memory.ofGib(40)).domain("r2").build());
    return ClusterState.of(topology.build());
  }

  private static JobSpec.Builder gang() {
    return JobSpec.builder("gang").gpus(2).parallelism(Parallelism.between(1, 2, 20));
  }

  /** Returns tasks of one GPU each: {@code n0 n0 n1} are two on n0 and one on n1. */
  private static Placement on(String nodes) {
    List<TaskPlacement> tasks = new ArrayList<>();
    for (String node : nodes.split(" ", -1)) {
      int gpu = (int) tasks.stream().filter(task -> task.node().equals(NodeId.of(node))).count();
      tasks.add(
          new TaskPlacement(
              new TaskId("worker", tasks.size()),
              NodeId.of(node),
              List.of(gpu),
              ResourceRequest.ofGpus(1)));
    }
    return new Placement(JobId.of("gang"), tasks);
  }

  private GangResize running(JobSpec.Builder gang, String nodes) {
    JobSpec job = gang.build();
    cluster.apply(on(nodes).sized(job), on(nodes));
    return new GangResize(cluster, job, on(nodes));
  }

  private void fill(String node, int gpus) {
    JobSpec job =
        JobSpec.builder("filler-" + node).role("worker", 1, ResourceRequest.ofGpus(gpus)).build();
    int all = cluster.topology().node(NodeId.of(node)).gpus().size();
    List<Integer> last = IntStream.range(all - gpus, all).boxed().toList();
    cluster.apply(
        job,
        new Placement(
            job.id(),
            List.of(
                new TaskPlacement(
                    new TaskId("worker", 0),
                    NodeId.of(node),
                    last,
                    ResourceRequest.ofGpus(gpus)))));
  }

  private static String nodes(Optional<Placement> placement) {
    StringBuilder nodes = new StringBuilder();
    placement
        .orElseThrow()
        .tasks()
        .forEach(task -> nodes.append(nodes.isEmpty() ? "" : " ").append(task.node()));
    return nodes.toString();
  }

  @Test
  void aGangThatIsSpreadGrowsWhereItsDomainsHoldFewerTasks() {
    GangResize apart =
        running(gang().topology(TopologyConstraint.NONE.andSpread(1, "node")), "n0 n2");

    assertThat(nodes(apart.larger(3))).isEqualTo("n0 n2 n1");
    assertThat(nodes(apart.larger(4))).isEqualTo("n0 n2 n1 n3");
    assertThat(apart.larger(5)).isEmpty();
  }

  @Test
  void onlyFreeGpusOfTheModelThatAGangHasCountForIt() {
    GangResize gang = running(gang(), "n0 n0");
    assertThat(GangResize.freeBeside(cluster, on("n0 n0"))).isEqualTo(14);
    fill("n0", 2);
    fill("n1", 4);
    fill("n2", 4);
    fill("n3", 3);

    assertThat(GangResize.freeBeside(cluster, on("n0 n0"))).isEqualTo(1);
    assertThat(gang.larger(3)).isPresent();
    assertThat(gang.larger(4)).isEmpty();
    assertThat(GangResize.freeBeside(cluster, on("n4"))).isEqualTo(8);
  }

  @Test
  void newTasksGoOnTheNodeThatTheGangIsOn() {
    GangResize gang = running(gang(), "n1 n1");

    assertThat(nodes(gang.larger(4))).isEqualTo("n1 n1 n1 n1");
  }

  @Test
  void tasksThatStayKeepTheirGpusAndAllAreNumberedInOrder() {
    GangResize gang = running(gang(), "n1 n1");

    List<TaskPlacement> tasks = gang.larger(3).orElseThrow().tasks();

    assertThat(tasks.subList(0, 2)).isEqualTo(on("n1 n1").tasks());
    assertThat(tasks).extracting(task -> task.task().index()).containsExactly(0, 1, 2);
    assertThat(tasks.getLast().gpus()).doesNotContain(0, 1);
  }

  @Test
  void whereTheNodeIsTooFullTheyGoIntoTheRackThatTheGangIsIn() {
    fill("n1", 1);
    GangResize gang = running(gang(), "n1 n1");

    assertThat(nodes(gang.larger(6))).isEqualTo("n1 n1 n0 n0 n0 n0");
  }

  @Test
  void whereTheRackIsTooFullTheyGoAnywhereOnGpusOfTheSameModel() {
    fill("n0", 4);
    GangResize gang = running(gang(), "n1 n1");

    assertThat(nodes(gang.larger(6))).isEqualTo("n1 n1 n2 n2 n2 n2");
    assertThat(gang.larger(13)).as("ten V100s are free, and eight A100s").isEmpty();
  }

  @Test
  void aGangThatRequiresARackStaysInIt() {
    fill("n0", 3);
    GangResize gang = running(gang().topology(TopologyConstraint.required("rack")), "n1 n1");

    assertThat(nodes(gang.larger(3))).isEqualTo("n1 n1 n1");
    assertThat(gang.larger(5)).isPresent();
    assertThat(gang.larger(6)).isEmpty();
  }

  @Test
  void aGangOnTwoNodesFillsTheFirstOfThemThatHoldsAll() {
    fill("n0", 3);
    GangResize gang = running(gang(), "n0 n1");

    assertThat(nodes(gang.larger(4))).isEqualTo("n0 n1 n1 n1");
  }

  @Test
  void otherRolesStayWhereTheyAre() {
    JobSpec job =
        JobSpec.builder("gang")
            .role("worker", 2, ResourceRequest.ofGpus(1))
            .role("chief", 1, ResourceRequest.ofGpus(1))
            .parallelism(Parallelism.between(1, 2, 20))
            .build();
    List<TaskPlacement> tasks = new ArrayList<>(on("n1 n1").tasks());
    tasks.add(
        new TaskPlacement(
            new TaskId("chief", 0), NodeId.of("n2"), List.of(0), ResourceRequest.ofGpus(1)));
    Placement placement = new Placement(job.id(), tasks);
    cluster.apply(job, placement);
    GangResize gang = new GangResize(cluster, job, placement);

    assertThat(nodes(gang.larger(3))).isEqualTo("n1 n1 n1 n2");
    assertThat(nodes(gang.smaller(1))).isEqualTo("n1 n2");
  }

  @Test
  void tasksGoFirstThatAreAloneOnTheirNodes() {
    GangResize gang = running(gang(), "n0 n1 n1 n2");

    assertThat(nodes(gang.smaller(3))).isEqualTo("n0 n1 n1");
    assertThat(nodes(gang.smaller(2))).isEqualTo("n1 n1");
    assertThat(nodes(gang.smaller(1))).isEqualTo("n1");
  }

  @Test
  void ofAGangInSlicesTheLastTasksGo() {
    GangResize gang =
        running(
            JobSpec.builder("gang")
                .gpus(4)
                .parallelism(new Parallelism(List.of(2, 4, 6), 4))
                .topology(TopologyConstraint.NONE.andSlices(2, "node")),
            "n0 n0 n1 n1");

    assertThat(nodes(gang.smaller(2))).isEqualTo("n0 n0");
    assertThat(nodes(gang.larger(6))).isEqualTo("n0 n0 n1 n1 n0 n0");
  }

  @Test
  void aGangInSlicesGrowsByWholeSlices() {
    fill("n0", 1);
    fill("n1", 3);
    GangResize gang =
        running(
            JobSpec.builder("gang")
                .gpus(2)
                .parallelism(new Parallelism(List.of(2, 4), 2))
                .topology(TopologyConstraint.NONE.andSlices(2, "node")),
            "n0 n0");

    assertThat(nodes(gang.larger(4))).isEqualTo("n0 n0 n2 n2");
  }

  @Test
  void newSlicesMayStandOnDifferentNodesOfTheGangsRack() {
    fill("n1", 2);
    GangResize gang =
        running(
            JobSpec.builder("gang")
                .gpus(2)
                .parallelism(new Parallelism(List.of(2, 6), 2))
                .topology(TopologyConstraint.NONE.andSlices(2, "node")),
            "n0 n0");

    assertThat(gang.larger(6).orElseThrow().tasks())
        .extracting(task -> task.node().value())
        .containsExactlyInAnyOrder("n0", "n0", "n0", "n0", "n1", "n1");
  }

  @Test
  void ofNodesWithAsManyTasksTheLastLosesOneFirst() {
    GangResize gang = running(gang(), "n0 n1 n2");

    assertThat(nodes(gang.smaller(2))).isEqualTo("n0 n1");
    assertThat(nodes(gang.smaller(1))).isEqualTo("n0");
  }

  @Test
  void aGangWithoutGpusGetsLargerWhereThereAreCores() {
    ResourceRequest core = ResourceRequest.builder().cpu(CpuCores.of(1)).build();
    JobSpec job =
        JobSpec.builder("gang")
            .role("worker", 1, core)
            .parallelism(Parallelism.between(1, 1, 9))
            .build();
    ClusterState cores =
        ClusterState.of(
            ClusterTopology.builder()
                .node(Node.builder("c0").cpu(CpuCores.of(2)).build())
                .node(Node.builder("c1").cpu(CpuCores.of(3)).build())
                .build());
    Placement alone =
        new Placement(
            job.id(),
            List.of(new TaskPlacement(new TaskId("worker", 0), NodeId.of("c0"), List.of(), core)));
    cores.apply(job, alone);
    GangResize gang = new GangResize(cores, job, alone);

    assertThat(nodes(gang.larger(2))).isEqualTo("c0 c0");
    assertThat(gang.larger(5)).isPresent();
    assertThat(gang.larger(6)).isEmpty();
  }

  @Test
  void theClusterIsAsBefore() {
    GangResize gang = running(gang(), "n1 n1");
    int free = cluster.freeGpus();

    gang.larger(9);
    gang.smaller(1);

    assertThat(cluster.freeGpus()).isEqualTo(free);
    assertThat(cluster.placement(JobId.of("gang"))).contains(on("n1 n1"));
  }
}
