package io.github.liquidscheduler.placement.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What keeps jobs waiting on clusters of a few nodes, in words. */
class UnmetConstraintSearchTest {

  private static final GpuModel V100 = GpuModel.of("V100");
  private static final GpuModel A100 = GpuModel.of("A100");

  private final BestFitPlacer placer = BestFitPlacer.bestFit();

  @Test
  void ofTheNodesThatLackCpuTheOneThatLacksLeastIsNamed() {
    ClusterState state = cluster(node("n0", 1, 2, 64), node("n1", 1, 8, 64), node("n2", 1, 6, 64));

    assertThat(unmet(state, job().role("worker", 3, request(1, 8, 0))))
        .containsExactly(
            "CPU (each task of role 'worker', with the GPUs it needs): requested 8 cores, available"
                + " 6 cores, closest fit node 'n2' with 6 cores");
  }

  @Test
  void missingHostMemoryIsNamedWithTheNodeThatHasTheGpus() {
    assertThat(unmet(cluster(node("n0", 2, 8, 6)), job().role("worker", 2, request(1, 0, 4))))
        .containsExactly(
            "MEMORY (2 tasks on one node, with the GPUs they need): requested 8 GiB, available 6"
                + " GiB, closest fit node 'n0' with 6 GiB");
  }

  @Test
  void missingGpuMemoryIsNamedWithTheGpu() {
    ResourceRequest half =
        ResourceRequest.builder().share(GpuShare.ofPercent(50)).gpuMemory(Memory.ofGib(10)).build();

    assertThat(unmet(cluster(node("n0", 1, 8, 8)), job().role("worker", 2, half)))
        .containsExactly(
            "GPU_MEMORY (2 tasks on one GPU, with the GPUs they need): requested 20 GiB, available"
                + " 16 GiB, closest fit GPU 'n0:0' with 16 GiB");
  }

  @Test
  void tasksOfSeveralRolesAreCountedWithWhatEachRequests() {
    JobSpec.Builder job =
        job().role("worker", 1, request(1, 4, 0)).role("server", 1, request(0, 6, 0));

    assertThat(unmet(cluster(node("n0", 1, 8, 8)), job))
        .containsExactly(
            "CPU (2 tasks on one node, with the GPUs they need): requested 10 cores, available 8"
                + " cores, closest fit node 'n0' with 8 cores");
  }

  @Test
  void tasksThatRequestNoneOfAResourceHaveNoPartInItsShortage() {
    JobSpec.Builder job =
        job().role("worker", 1, request(1, 0, 0)).role("server", 1, request(0, 10, 0));

    assertThat(unmet(cluster(node("n0", 1, 8, 8)), job))
        .containsExactly(
            "CPU (each task of role 'server', with the GPUs it needs): requested 10 cores,"
                + " available 8 cores, closest fit node 'n0' with 8 cores");
  }

  @Test
  void labelsAreNamedIfNodesWithoutThemHaveCapacity() {
    Node.Builder ssd = node("n0", 1, 8, 8).label("disk", "ssd");
    ClusterState state = cluster(ssd, node("n1", 2, 8, 8));

    assertThat(unmet(state, job().nodeLabel("disk", "ssd").role("worker", 1, request(2, 0, 0))))
        .contains("GPUS (the job): requested 2 GPUs, available 1 GPU");
    start(state, job("first").role("worker", 1, request(0, 8, 0)).nodeLabel("disk", "ssd"));
    assertThat(unmet(state, job().nodeLabel("disk", "ssd").role("worker", 1, request(1, 2, 0))))
        .containsExactly(
            "CPU (each task of role 'worker', with the GPUs it needs): requested 2 cores, available"
                + " 0 cores, closest fit node 'n0' with 0 cores",
            "NODE_LABELS (labels {disk=ssd}, where capacity is free): requested 1 node, available"
                + " 0 nodes");
  }

  @Test
  void labelsThatARoleAsksForAreNamedWithIt() {
    ClusterState state = cluster(node("n0", 1, 8, 8).label("disk", "ssd"), node("n1", 1, 8, 8));
    TaskRole leader = new TaskRole("leader", 1, request(1, 0, 0)).on(Map.of("disk", "ssd"));
    JobSpec.Builder twoLeaders = job().role(leader).role("worker", 1, request(0, 1, 0));

    start(state, job("first").role(leader));
    assertThat(unmet(state, twoLeaders))
        .contains(
            "NODE_LABELS (labels of role 'leader' {disk=ssd}, where capacity is free): requested 1"
                + " node, available 0 nodes");
    assertThat(unmet(state, job().role(leader.on(Map.of("disk", "tape")))))
        .contains(
            "NODE_LABELS (labels of role 'leader' {disk=tape}): requested 1 node, available 0"
                + " nodes");
  }

  @Test
  void labelsAreNotNamedIfNoOtherNodeHasCapacity() {
    Node.Builder ssd = node("n0", 1, 4, 8).label("disk", "ssd");

    assertThat(
            unmet(
                cluster(ssd, node("n1", 1, 4, 8)),
                job().nodeLabel("disk", "ssd").role("worker", 1, request(1, 8, 0))))
        .containsExactly(
            "CPU (each task of role 'worker', with the GPUs it needs): requested 8 cores, available"
                + " 4 cores, closest fit node 'n0' with 4 cores");
  }

  @Test
  void excludedNodesAreNamedBesideLabels() {
    ClusterState state = cluster(node("n0", 1, 8, 8).label("disk", "ssd"), node("n1", 1, 8, 8));

    assertThat(unmet(state, job().nodeLabel("disk", "ssd").excludeNodes(List.of("n0")).gpus(1)))
        .first()
        .isEqualTo(
            "NODE_LABELS (labels {disk=ssd}, not [n0]): requested 1 node, available 0 nodes");
  }

  @Test
  void tasksWithoutGpusThatDoNotFitTogetherAreCounted() {
    ClusterState state =
        cluster(node("n0", 1, 8, 8).domain("r0"), node("n1", 1, 8, 8).domain("r1"));

    assertThat(
            unmet(
                state,
                job()
                    .role("worker", 3, request(0, 4, 0))
                    .topology(TopologyConstraint.required("rack"))))
        .contains("COMBINATION (all tasks in one rack): requested 3 tasks, available 2 tasks");
  }

  @Test
  void gpusOfNodesThatAreNotUpOrNotAllowedDoNotCount() {
    ClusterState state =
        cluster(
            node("n0", 2, 8, 8).label("disk", "ssd"),
            node("n1", 2, 8, 8).label("disk", "ssd"),
            node("n2", 2, 8, 8));
    state.setHealth(NodeId.of("n1"), NodeHealth.LOST);

    assertThat(unmet(state, job().nodeLabel("disk", "ssd").gpus(3)))
        .containsExactly("GPUS (the job): requested 3 GPUs, available 2 GPUs");
  }

  @Test
  void theModelOfWhichMostGpusAreFreeIsTheClosestFit() {
    ClusterState state =
        cluster(
            node("n0", 1, 8, 8),
            Node.builder("n1").gpus(2, A100, Memory.ofGib(40)),
            Node.builder("n2").gpus(1, A100, Memory.ofGib(80)));

    assertThat(unmet(state, job().gpuModels(List.of(V100, A100)).gpus(4)))
        .containsExactly(
            "GPUS (the job, on one model): requested 4 GPUs, available 3 GPUs, closest fit A100"
                + " with 3 GPUs");
  }

  @Test
  void theNodeWithMostFreeGpusOfThoseAllowedIsTheClosestFit() {
    ClusterState state =
        cluster(
            node("n0", 3, 8, 8),
            node("n1", 1, 8, 8).label("disk", "ssd"),
            node("n2", 2, 8, 8).label("disk", "ssd"));

    assertThat(unmet(state, job().nodeLabel("disk", "ssd").role("worker", 1, request(3, 0, 0))))
        .containsExactly(
            "GPUS_PER_NODE (each task of role 'worker'): requested 3 GPUs, available 2 GPUs,"
                + " closest fit node 'n2' with 2 GPUs");
  }

  @Test
  void theMostGpusOfANodeThatHaveTheMemoryAreWhatThereIs() {
    ResourceRequest large = ResourceRequest.builder().gpus(2).gpuMemory(Memory.ofGib(30)).build();
    ClusterState state =
        cluster(node("n0", 4, 8, 8), Node.builder("n1").gpus(1, A100, Memory.ofGib(40)));

    assertThat(unmet(state, job().role("worker", 1, large)))
        .containsExactly(
            "GPUS_PER_NODE (each task of role 'worker'): requested 2 GPUs, available 1 GPU");
  }

  @Test
  void ofSeveralNodesThatHaveAsManyGpusTheFirstThatIsAllowedIsTheClosestFit() {
    ClusterState state =
        cluster(
            node("n0", 1, 8, 8).label("disk", "ssd"),
            node("n1", 2, 8, 8),
            node("n2", 2, 8, 8).label("disk", "ssd"),
            node("n3", 3, 8, 8));

    assertThat(unmet(state, job().nodeLabel("disk", "ssd").role("worker", 1, request(3, 0, 0))))
        .containsExactly(
            "GPUS_PER_NODE (each task of role 'worker'): requested 3 GPUs, available 2 GPUs,"
                + " closest fit node 'n2' with 2 GPUs");
  }

  @Test
  void gpusThatAJobMayNotUseDoNotCount() {
    ClusterState state =
        cluster(node("n0", 1, 8, 8), Node.builder("n1").gpus(4, A100, Memory.ofGib(40)));
    ResourceRequest large = ResourceRequest.builder().gpus(1).gpuMemory(Memory.ofGib(30)).build();

    assertThat(unmet(state, job().gpuModels(List.of(V100)).gpus(2)))
        .containsExactly("GPUS (the job): requested 2 GPUs, available 1 GPU");
    assertThat(unmet(state, job().role("worker", 5, large)))
        .containsExactly("GPUS (the job): requested 5 GPUs, available 4 GPUs");
  }

  @Test
  void aJobWithoutGpusLacksNone() {
    ClusterState state = cluster(Node.builder("n0").cpu(CpuCores.of(4)));

    assertThat(unmet(state, job().role("worker", 1, request(0, 8, 0))))
        .containsExactly(
            "CPU (each task of role 'worker', with the GPUs it needs): requested 8 cores, available"
                + " 4 cores, closest fit node 'n0' with 4 cores");
  }

  private List<String> unmet(ClusterState state, JobSpec.Builder job) {
    JobSpec spec = job.build();
    assertThat(placer.place(state, spec)).isEmpty();
    return placer.unmetConstraints(state, spec).stream().map(UnmetConstraint::describe).toList();
  }

  private void start(ClusterState state, JobSpec.Builder job) {
    state.apply(placer.place(state, job.build()).orElseThrow());
  }

  private static JobSpec.Builder job() {
    return job("job");
  }

  private static JobSpec.Builder job(String id) {
    return JobSpec.builder(id);
  }

  private static ResourceRequest request(int gpus, int cores, int gib) {
    return ResourceRequest.builder()
        .gpus(gpus)
        .cpu(CpuCores.of(cores))
        .memory(Memory.ofGib(gib))
        .build();
  }

  private static ClusterState cluster(Node.Builder... nodes) {
    ClusterTopology.Builder cluster =
        ClusterTopology.builder()
            .levels("rack")
            .domain(Domain.of("rack", "r0"))
            .domain(Domain.of("rack", "r1"));
    for (Node.Builder node : nodes) {
      cluster.node(node.build());
    }
    return ClusterState.of(cluster.build());
  }

  private static Node.Builder node(String id, int gpus, int cores, int gib) {
    return Node.builder(id)
        .gpus(gpus, V100, Memory.ofGib(16))
        .cpu(CpuCores.of(cores))
        .memory(Memory.ofGib(gib));
  }
}
