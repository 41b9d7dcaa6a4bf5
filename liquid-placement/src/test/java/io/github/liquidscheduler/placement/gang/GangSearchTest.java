package io.github.liquidscheduler.placement.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Where gangs go on nodes in racks, of which r2 has A100s. */
class GangSearchTest {

  private static final GpuModel V100 = GpuModel.of("V100");
  private static final GpuModel A100 = GpuModel.of("A100");

  @Test
  void aGangThatANodeHasExactlyEnoughForIsOnThatNode() {
    Node.Builder node = node("n0", "r0", 2, V100).cpu(CpuCores.of(4)).memory(Memory.ofGib(8));
    ResourceRequest half =
        ResourceRequest.builder().gpus(1).cpu(CpuCores.of(2)).memory(Memory.ofGib(4)).build();
    GangSearch search = search(index(node), JobSpec.builder("job").role("worker", 2, half));

    GangSearch.Found found = search.first().orElseThrow();

    assertThat(found.level()).isEqualTo(search.nodeLevel());
    assertThat(found.isOnOneNode()).isTrue();
  }

  @Test
  void aGangOnSeveralNodesIsInTheNarrowestDomainThatHoldsIt() {
    CapacityIndex index =
        index(node("n0", "r0", 2, V100), node("n1", "r1", 2, V100), node("n2", "r1", 2, V100));
    GangSearch four = search(index, JobSpec.builder("four").gpus(4));
    GangSearch six = search(index, JobSpec.builder("six").gpus(6));

    assertThat(four.first()).map(GangSearch.Found::level).contains(1);
    assertThat(four.first()).map(GangSearch.Found::isOnOneNode).contains(false);
    assertThat(six.first()).map(GangSearch.Found::level).contains(0);
    assertThat(List.of(four.nodeLevel(), four.widestLevel())).containsExactly(2, 0);
    assertThat(search(index, inOneRack(JobSpec.builder("rack").gpus(4))).widestLevel())
        .isEqualTo(1);
  }

  @Test
  void aJobThatNamesNoModelIsFoundAPlaceOnEach() {
    CapacityIndex index = index(node("v", "r0", 4, V100), node("a", "r2", 2, A100));

    assertThat(models(search(index, JobSpec.builder("two").gpus(2))))
        .containsExactly("V100", "A100");
    assertThat(models(search(index, JobSpec.builder("three").gpus(3)))).containsExactly("V100");
    assertThat(models(search(index, JobSpec.builder("five").gpus(5))))
        .containsExactly("V100 + A100");
    assertThat(
            models(search(index, JobSpec.builder("named").gpus(2).gpuModels(List.of(A100, V100)))))
        .containsExactly("A100");
    assertThat(models(search(index, JobSpec.builder("seven").gpus(7)))).isEmpty();
  }

  @Test
  void onlyWhatHasNoPlaceIsProvedImpossible() {
    CapacityIndex index = index(node("n0", "r0", 4, V100));

    assertThat(search(index, JobSpec.builder("four").gpus(4)).isProvedImpossible()).isFalse();
    assertThat(search(index, JobSpec.builder("five").gpus(5)).isProvedImpossible()).isTrue();
  }

  @Test
  void serversAndWorkersMeetOnTheNodesTheyAreOn() {
    ClusterState state = state(node("n0", "r0", 3, V100), node("n1", "r0", 3, V100));

    assertThat(tasksByNode(state, serversAndWorkers(2, 4)))
        .isEqualTo("n0: server worker worker, n1: server worker worker");
    assertThat(tasksByNode(state, serversAndWorkers(1, 2))).isEqualTo("n0: server worker worker");
  }

  @Test
  void serversAndWorkersThatDoNotMeetGoRoleByRole() {
    ClusterState state =
        state(
            node("n0", "r0", 2, V100),
            node("n1", "r0", 2, V100),
            node("n2", "r0", 1, V100),
            node("n3", "r0", 1, V100));
    JobSpec.Builder job =
        JobSpec.builder("job")
            .role("worker", 2, ResourceRequest.ofGpus(1))
            .role("server", 2, ResourceRequest.ofGpus(2))
            .communication(new Communication.ParameterServer("server", "worker", 1_000_000));

    assertThat(tasksByNode(state, job)).isEqualTo("n0: server, n1: server, n2: worker, n3: worker");
  }

  @Test
  void serversAndWorkersThatDoNotAllFitStayAway() {
    ClusterState state = state(node("n0", "r0", 3, V100), node("n1", "r0", 2, V100));
    JobSpec job = serversAndWorkers(2, 4).build();

    assertThat(BestFitPlacer.bestFit().place(state, job)).isEmpty();
    assertThat(state.freeGpus()).isEqualTo(5);
  }

  @Test
  void aGangThatNoRackHoldsFillsTheLargestAndThenTheSmallestThatIsEnough() {
    ClusterState state =
        state(
            node("n0", "r0", 6, V100),
            node("n1", "r1", 4, V100),
            node("n2", "r1", 4, V100),
            node("n3", "r2", 4, V100));

    assertThat(tasksByNode(state, JobSpec.builder("twelve").gpus(12)))
        .isEqualTo(
            "n1: worker worker worker worker, n2: worker worker worker worker,"
                + " n3: worker worker worker worker");
    assertThat(tasksByNode(state, JobSpec.builder("fourteen").gpus(14)))
        .startsWith("n1: worker worker worker worker, n2: worker worker worker worker, n0: worker");
  }

  @Test
  void ofEqualRacksTheFirstIsFilled() {
    ClusterState state =
        state(
            node("n0", "r0", 2, V100),
            node("n1", "r0", 2, V100),
            node("n2", "r1", 2, V100),
            node("n3", "r1", 2, V100),
            node("n4", "r2", 2, V100),
            node("n5", "r2", 2, V100));

    assertThat(tasksByNode(state, JobSpec.builder("eight").gpus(8)))
        .isEqualTo("n0: worker worker, n1: worker worker, n2: worker worker, n3: worker worker");
  }

  @Test
  void aGangInAZoneLeavesTheRacksOfOtherZonesAlone() {
    ClusterTopology.Builder zones = ClusterTopology.builder().levels("zone", "rack");
    zones.domain(Domain.of("zone", "z0")).domain(Domain.of("zone", "z1"));
    zones.domain(Domain.of("rack", "r0").in("z0")).domain(Domain.of("rack", "r1").in("z0"));
    zones.domain(Domain.of("rack", "r2").in("z1"));
    zones.node(node("n0", "r0", 4, V100).build()).node(node("n1", "r1", 2, V100).build());
    zones.node(node("n2", "r2", 4, V100).build()).node(node("n3", "r2", 4, V100).build());
    ClusterState state = ClusterState.of(zones.build());

    assertThat(tasksByNode(state, JobSpec.builder("six").gpus(6)))
        .isEqualTo("n2: worker worker worker worker, n3: worker worker");
    state.setHealth(NodeId.of("n3"), NodeHealth.DRAINING);
    assertThat(tasksByNode(state, JobSpec.builder("six").gpus(6)))
        .isEqualTo("n0: worker worker worker worker, n1: worker worker");
  }

  @Test
  void thePartOfAJobThatFitsIsItsFirstTasks() {
    ClusterState state = state(node("n0", "r0", 4, V100));
    JobSpec job =
        JobSpec.builder("job")
            .role("worker", 2, ResourceRequest.ofGpus(1))
            .role("evaluator", 2, ResourceRequest.ofGpus(1))
            .role("server", 2, ResourceRequest.ofGpus(1))
            .build();

    PlacedPart part = PlacedPart.of(BestFitPlacer.bestFit(), state, job);

    assertThat(part.tasks()).isEqualTo(4);
    assertThat(part.gpus()).isEqualTo(4);
    assertThat(part.placement().orElseThrow().tasks())
        .extracting(task -> task.task().role())
        .containsExactly("worker", "worker", "evaluator", "evaluator");
  }

  @Test
  void slicesGoToTheTightestRacks() {
    ClusterState state =
        state(
            node("n0", "r0", 2, V100),
            node("n1", "r0", 2, V100),
            node("n2", "r0", 2, V100),
            node("n3", "r0", 2, V100),
            node("n4", "r1", 2, V100),
            node("n5", "r1", 2, V100));
    JobSpec job =
        JobSpec.builder("job")
            .gpus(12)
            .topology(TopologyConstraint.NONE.andSlices(4, "rack"))
            .build();

    Placement placement = BestFitPlacer.bestFit().place(state, job).orElseThrow();

    assertThat(placement.tasks().subList(0, 4))
        .extracting(task -> task.node().value())
        .containsExactly("n4", "n4", "n5", "n5");
  }

  @Test
  void whatIsRequiredOfTheTopologyIsDescribed() {
    CapacityIndex index = index(node("n0", "r0", 4, V100));
    JobSpec.Builder job =
        JobSpec.builder("job")
            .role("worker", 4, ResourceRequest.ofGpus(1))
            .role("server", 2, ResourceRequest.ofGpus(1))
            .topology(
                TopologyConstraint.required("rack").andSlices(2, "node").andSpread(3, "cluster"));
    GangShape gang = new GangShape(job.build(), index);

    assertThat(gang.topology().describe())
        .isEqualTo("all tasks in one rack, each 2 tasks in one node, at most 3 in one cluster");
    assertThat(gang.topology().requiredLevels()).containsExactly("rack", "node", "cluster");
    assertThat(gang.byRole())
        .extracting(gang.topology()::sliceOf)
        .containsExactly(2, Integer.MAX_VALUE);
    assertThat(gang.topology().preferredLevel()).isEqualTo(-1);
  }

  @Test
  void aPreferredLevelIsKnownByItsPosition() {
    CapacityIndex index = index(node("n0", "r0", 4, V100));
    JobSpec job =
        JobSpec.builder("job").gpus(1).topology(TopologyConstraint.preferred("rack")).build();

    assertThat(new GangShape(job, index).topology().preferredLevel()).isEqualTo(1);
  }

  private static List<String> models(GangSearch search) {
    return search.firstInEachPool().stream()
        .map(
            found ->
                found.pools().stream()
                    .map(pool -> pool.model().orElseThrow().name())
                    .collect(Collectors.joining(" + ")))
        .toList();
  }

  /** Returns the tasks on each node, those of servers and workers as often as they are picked. */
  private static String tasksByNode(ClusterState state, JobSpec.Builder job) {
    Map<String, String> tasks = new LinkedHashMap<>();
    for (Picks.Pick pick : search(state.index(), job).first().orElseThrow().picks()) {
      String node = state.topology().nodes().get(pick.node()).id().value();
      tasks.merge(node, (pick.task().role().name() + " ").repeat(pick.count()), String::concat);
    }
    return tasks.entrySet().stream()
        .map(node -> node.getKey() + ": " + node.getValue().strip())
        .collect(Collectors.joining(", "));
  }

  private static GangSearch search(CapacityIndex index, JobSpec.Builder job) {
    return new GangSearch(index, new GangShape(job.build(), index));
  }

  private static JobSpec.Builder inOneRack(JobSpec.Builder job) {
    return job.topology(TopologyConstraint.required("rack"));
  }

  private static JobSpec.Builder serversAndWorkers(int servers, int workers) {
    return JobSpec.builder("job")
        .role("worker", workers, ResourceRequest.ofGpus(1))
        .role("server", servers, ResourceRequest.ofGpus(1))
        .communication(new Communication.ParameterServer("server", "worker", 1_000_000));
  }

  private static CapacityIndex index(Node.Builder... nodes) {
    return state(nodes).index();
  }

  private static ClusterState state(Node.Builder... nodes) {
    ClusterTopology.Builder cluster = ClusterTopology.builder().levels("rack");
    List.of("r0", "r1", "r2").forEach(rack -> cluster.domain(Domain.of("rack", rack)));
    for (Node.Builder node : nodes) {
      cluster.node(node.build());
    }
    return ClusterState.of(cluster.build());
  }

  private static Node.Builder node(String id, String rack, int gpus, GpuModel model) {
    return Node.builder(id).domain(rack).gpus(gpus, model, Memory.ofGib(16));
  }
}
