package io.github.liquidscheduler.placement.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class BestFitPlacerTest {

  private static final GpuModel V100 = GpuModel.of("V100");
  private static final GpuModel A100 = GpuModel.of("A100");
  private static final GpuModel H100 = GpuModel.of("H100");

  private final BestFitPlacer placer = BestFitPlacer.bestFit();

  @Test
  void aSingleTaskGoesToTheFullestNodeThatHoldsIt() {
    ClusterState state = racks(1, 3);
    start(state, job("a").gpus(2).build());
    start(state, job("b").gpus(7).build());

    assertThat(nodesOf(place(state, job("c").gpus(1).build()))).containsExactly("r0n1");
    assertThat(nodesOf(place(state, job("d").gpus(4).build()))).containsExactly("r0n0");
  }

  @Test
  void aGangStaysInOneRackWhenARackHoldsIt() {
    ClusterState state = racks(2, 2);
    start(state, job("half").gpus(8).build());

    assertThat(nodesOf(place(state, job("gang").gpus(16).build()))).containsExactly("r1n0", "r1n1");
  }

  @Test
  void aGangSpansRacksWhenNoneHoldsItAlone() {
    ClusterState state = racks(2, 2);

    assertThat(place(state, job("gang").gpus(24).build()).nodes()).hasSize(3);
  }

  @Test
  void aGangThatNoRackHoldsSpansAsFewRacksAsItCan() {
    ClusterState state = racks(3, 2);
    start(state, job("a").gpus(6).topology(TopologyConstraint.NONE.andSpread(2, "rack")).build());
    start(state, job("b").gpus(2).build());

    Placement placement = place(state, job("gang").gpus(26).build());

    assertThat(racksOf(placement.tasks())).hasSize(2);
  }

  @Test
  void aRequiredLevelIsNeverBroken() {
    ClusterState state = racks(2, 2);
    JobSpec job = job("gang").gpus(24).topology(TopologyConstraint.required("rack")).build();

    assertThat(placer.place(state, job)).isEmpty();
    assertThat(placer.unmetConstraints(state, job))
        .singleElement()
        .satisfies(
            unmetConstraint -> {
              assertThat(unmetConstraint.constraint()).isEqualTo(Constraint.TOPOLOGY);
              assertThat(unmetConstraint.requested()).isEqualTo(24);
              assertThat(unmetConstraint.available()).isEqualTo(16);
              assertThat(unmetConstraint.closestFit())
                  .contains(new UnmetConstraint.ClosestFit("rack 'r0'", 16));
            });
  }

  @Test
  void aShareFitsOnANodeOutsideTheRequiredLevel() {
    ClusterTopology.Builder builder = ClusterTopology.builder().levels("rack");
    builder.domain(Domain.of("rack", "r0"));
    builder.node(Node.builder("inRack").domain("r0").gpus(1, V100, Memory.ofGib(16)).build());
    builder.node(Node.builder("alone").gpus(1, V100, Memory.ofGib(16)).build());
    ClusterState state = ClusterState.of(builder.build());
    state.setHealth(NodeId.of("inRack"), NodeHealth.DRAINING);
    JobSpec share =
        job("share")
            .role("worker", 1, half())
            .topology(TopologyConstraint.required("rack"))
            .build();

    assertThat(nodesOf(place(state, share))).containsExactly("alone");
  }

  @Test
  void aSliceOfSharesStaysOnOneNode() {
    ClusterState state = racks(1, 2);
    start(state, job("a").gpus(15).build());
    start(state, job("b").role("worker", 1, half()).build());
    JobSpec sliced =
        job("sliced")
            .role("worker", 2, half())
            .topology(TopologyConstraint.NONE.andSlices(2, ClusterTopology.NODE))
            .build();

    assertThat(placer.place(state, sliced)).isEmpty();
    state.release(JobId.of("a"));

    assertThat(nodesOf(place(state, sliced))).hasSize(1);
  }

  @Test
  void modelsAreTriedInTheOrderInWhichTheJobLikesThem() {
    ClusterState state = mixed();
    JobSpec.Builder job = job("picky").gpuModels(List.of(A100, V100));

    Placement first = place(state, job.gpus(4).build());
    state.apply(first);
    Placement second = place(state, job("other").gpuModels(List.of(A100, V100)).gpus(4).build());

    assertThat(models(state, first)).containsExactly(A100);
    assertThat(models(state, second)).containsExactly(V100);
  }

  @Test
  void modelsAreMixedOnlyIfTheJobAllowsAny() {
    ClusterState state = mixed();

    assertThat(placer.place(state, job("any").gpus(8).build())).isPresent();
    assertThat(placer.place(state, job("listed").gpuModels(List.of(A100, V100)).gpus(8).build()))
        .isEmpty();
  }

  @Test
  void workersAndServersOfOneJobShareANodeWhenItHoldsBoth() {
    ClusterState state = racks(1, 2);
    JobSpec job =
        job("ps")
            .role("ps", 2, ResourceRequest.builder().cpu(CpuCores.of(4)).build())
            .role("worker", 2, ResourceRequest.ofGpus(4))
            .build();

    assertThat(nodesOf(place(state, job))).containsExactly("r0n0");
  }

  @Test
  void aNodeWithoutCpuIsPassedOver() {
    ClusterState state = racks(1, 2);
    start(
        state,
        job("hog").role("hog", 1, ResourceRequest.builder().cpu(CpuCores.of(96)).build()).build());
    ResourceRequest request = ResourceRequest.builder().gpus(1).cpu(CpuCores.of(1)).build();

    assertThat(nodesOf(place(state, job("job").role("worker", 1, request).build())))
        .containsExactly("r0n1");
  }

  @Test
  void missingCpuIsNamedWithTheNodeThatHasTheGpus() {
    ClusterState state = racks(1, 1);
    start(
        state,
        job("hog").role("hog", 1, ResourceRequest.builder().cpu(CpuCores.of(90)).build()).build());
    ResourceRequest request = ResourceRequest.builder().gpus(1).cpu(CpuCores.of(8)).build();

    assertThat(placer.unmetConstraints(state, job("job").role("worker", 1, request).build()))
        .extracting(UnmetConstraint::describe)
        .containsExactly(
            "CPU (each task of role 'worker', with the GPUs it needs): requested 8 cores, available"
                + " 6 cores, closest fit node 'r0n0' with 6 cores");
  }

  @Test
  void sharesFillAGpuBeforeTheyBreakAnother() {
    ClusterState state = racks(1, 2);
    ResourceRequest third = ResourceRequest.builder().share(GpuShare.ofPercent(30)).build();

    for (String id : List.of("a", "b", "c")) {
      start(state, job(id).role("worker", 1, third).build());
    }
    Placement fourth = place(state, job("d").role("worker", 1, third).build());

    assertThat(state.freeShare(GpuId.of("r0n0", 0))).isEqualTo(100);
    assertThat(state.freeGpus()).isEqualTo(15);
    assertThat(fourth.tasks()).extracting(TaskPlacement::gpus).containsExactly(List.of(1));
  }

  @Test
  void aShareOfOneModelIsNotTakenFromAnotherOnTheSameNode() {
    Node.Builder both = Node.builder("n0").gpus(1, V100, Memory.ofGib(16));
    Node node = both.gpus(1, A100, Memory.ofGib(16)).build();
    ClusterState state = ClusterState.of(ClusterTopology.builder().node(node).build());
    ResourceRequest most = ResourceRequest.builder().share(GpuShare.ofPercent(60)).build();
    ResourceRequest third = ResourceRequest.builder().share(GpuShare.ofPercent(30)).build();
    start(state, job("v").role("worker", 1, most).gpuModels(List.of(V100)).build());
    start(state, job("a").role("worker", 1, third).gpuModels(List.of(A100)).build());

    JobSpec next = job("b").role("worker", 1, third).gpuModels(List.of(A100)).build();
    assertThat(models(state, place(state, next))).containsExactly(A100);
  }

  @Test
  void sharesOfOneGangMayShareAGpu() {
    ClusterState state = racks(1, 1);

    assertThat(place(state, job("pair").role("worker", 2, half()).build()).tasks())
        .extracting(TaskPlacement::gpus)
        .containsExactly(List.of(0), List.of(0));
  }

  @Test
  void deviceMemoryLimitsSharing() {
    ClusterState state = racks(1, 1);
    ResourceRequest fat =
        ResourceRequest.builder().share(GpuShare.ofPercent(20)).gpuMemory(Memory.ofGib(10)).build();

    assertThat(place(state, job("fat").role("worker", 2, fat).build()).tasks())
        .extracting(TaskPlacement::gpus)
        .containsExactly(List.of(0), List.of(1));
  }

  @Test
  void gpusOfOneTaskComeFromOneNvlinkGroup() {
    Node.Builder node = Node.builder("n0");
    for (int gpu = 0; gpu < 8; gpu++) {
      node.gpu(new Gpu(V100, Memory.ofGib(16), gpu % 2, gpu / 4));
    }
    ClusterState state = ClusterState.of(ClusterTopology.builder().node(node.build()).build());
    JobSpec job = job("pair").role("worker", 2, ResourceRequest.ofGpus(3)).build();

    assertThat(place(state, job).tasks())
        .extracting(TaskPlacement::gpus)
        .containsExactly(List.of(0, 2, 4), List.of(1, 3, 5));
  }

  @Test
  void drainingAndLostNodesAndLostGpusTakeNothing() {
    ClusterState state = racks(1, 3);
    state.setHealth(NodeId.of("r0n0"), NodeHealth.DRAINING);
    state.setHealth(NodeId.of("r0n1"), NodeHealth.LOST);
    state.fail(GpuId.of("r0n2", 0));

    assertThat(state.freeGpus()).isEqualTo(7);
    assertThat(placer.place(state, job("eight").gpus(8).build())).isEmpty();
    assertThat(place(state, job("seven").role("w", 1, ResourceRequest.ofGpus(7)).build()).tasks())
        .extracting(TaskPlacement::gpus)
        .containsExactly(List.of(1, 2, 3, 4, 5, 6, 7));
  }

  @Test
  void aJobThatNamesModelsRunsOnOneOfThem() {
    ClusterState state =
        ClusterState.of(
            ClusterTopology.builder()
                .node(Node.builder("h").gpus(2, H100, Memory.ofGib(80)).build())
                .node(Node.builder("a").gpus(2, A100, Memory.ofGib(80)).build())
                .build());

    assertThat(placer.place(state, job("any").gpus(4).build())).isPresent();
    assertThat(place(state, job("two").gpuModels(List.of(A100, H100)).gpus(2).build()).nodes())
        .hasToString("[a]");
    JobSpec four = job("four").gpuModels(List.of(H100, A100)).gpus(4).build();
    assertThat(placer.place(state, four)).isEmpty();
    assertThat(placer.unmetConstraints(state, four))
        .extracting(UnmetConstraint::describe)
        .containsExactly(
            "GPUS (the job, on one model): requested 4 GPUs, available 2 GPUs, closest fit A100"
                + " with 2 GPUs");
  }

  @Test
  void theModelsThatThereAreAreNamed() {
    JobSpec misspelt = job("m").gpuModels(List.of(GpuModel.of("v100"))).gpus(1).build();

    assertThat(placer.unmetConstraints(racks(1, 1), misspelt))
        .extracting(UnmetConstraint::scope)
        .containsExactly("models [v100] of [V100]");
  }

  @Test
  void whatTheClusterDoesNotHaveIsNamed() {
    ClusterState state = racks(1, 1);

    assertThat(constraints(state, job("m").gpuModels(List.of(A100)).gpus(1).build()))
        .containsExactly(Constraint.GPU_MODEL);
    assertThat(constraints(state, job("l").nodeLabel("disk", "ssd").gpus(1).build()))
        .containsExactly(Constraint.NODE_LABELS);
    assertThat(
            constraints(
                state, job("t").topology(TopologyConstraint.required("zone")).gpus(1).build()))
        .containsExactly(Constraint.TOPOLOGY_LEVEL);
    assertThat(constraints(state, job("n").role("w", 1, ResourceRequest.ofGpus(9)).build()))
        .containsExactly(Constraint.GPUS_PER_NODE);
    assertThat(constraints(state, job("g").gpus(9).build())).containsExactly(Constraint.GPUS);
    assertThat(
            constraints(
                state,
                job("mem")
                    .role(
                        "w",
                        1,
                        ResourceRequest.builder().gpus(1).gpuMemory(Memory.ofGib(17)).build())
                    .build()))
        .containsExactly(Constraint.GPU_MEMORY);
  }

  @Test
  void freeGpusThatAreScatteredAreNamedAsSuch() {
    ClusterState state = racks(1, 2);
    start(state, job("a").role("w", 2, ResourceRequest.ofGpus(5)).build());

    assertThat(
            placer.unmetConstraints(
                state, job("b").role("w", 1, ResourceRequest.ofGpus(4)).build()))
        .extracting(UnmetConstraint::describe)
        .containsExactly(
            "GPUS_PER_NODE (each task of role 'w'): requested 4 GPUs, available 3 GPUs, closest fit"
                + " node 'r0n0' with 3 GPUs");
  }

  @Test
  void eachSliceStaysInOneDomain() {
    ClusterState state = racks(2, 2);
    start(state, job("a").gpus(6).build());
    JobSpec job =
        job("sliced").gpus(24).topology(TopologyConstraint.NONE.andSlices(12, "rack")).build();

    assertThat(placer.place(state, job)).isEmpty();
    assertThat(constraints(state, job)).containsExactly(Constraint.TOPOLOGY);

    state.release(JobId.of("a"));
    Placement placement = place(state, job);
    assertThat(racksOf(placement.tasks().subList(0, 12))).hasSize(1);
    assertThat(racksOf(placement.tasks().subList(12, 24))).hasSize(1);
  }

  @Test
  void aSpreadGangLosesNoMoreThanAskedWithADomain() {
    ClusterState state = racks(2, 2);
    JobSpec job =
        job("spread").gpus(6).topology(TopologyConstraint.NONE.andSpread(3, "rack")).build();

    Placement placement = place(state, job);

    assertThat(racksOf(placement.tasks())).containsExactlyInAnyOrder("r0", "r1");
    assertThat(placement.tasks()).filteredOn(t -> t.node().value().startsWith("r0")).hasSize(3);
    assertThat(placer.place(state, job("more").gpus(7).topology(job.topology()).build())).isEmpty();
  }

  private static Set<String> racksOf(List<TaskPlacement> tasks) {
    return tasks.stream()
        .map(task -> task.node().value().substring(0, 2))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private List<Constraint> constraints(ClusterState state, JobSpec job) {
    return placer.unmetConstraints(state, job).stream().map(UnmetConstraint::constraint).toList();
  }

  private Placement place(ClusterState state, JobSpec job) {
    return placer.place(state, job).orElseThrow();
  }

  private void start(ClusterState state, JobSpec job) {
    state.apply(place(state, job));
  }

  private static List<String> nodesOf(Placement placement) {
    return placement.nodes().stream().map(NodeId::value).toList();
  }

  private static ResourceRequest half() {
    return ResourceRequest.builder().share(GpuShare.ofPercent(50)).build();
  }

  private static JobSpec.Builder job(String id) {
    return JobSpec.builder(id);
  }

  /** Returns racks of nodes with 8 V100 of 16 GiB, 96 cores and 1 TiB each. */
  private static ClusterState racks(int racks, int nodes) {
    ClusterTopology.Builder builder = ClusterTopology.builder().levels("rack");
    for (int rack = 0; rack < racks; rack++) {
      builder.domain(Domain.of("rack", "r" + rack));
      for (int node = 0; node < nodes; node++) {
        builder.node(
            Node.builder("r" + rack + "n" + node)
                .domain("r" + rack)
                .gpus(8, V100, Memory.ofGib(16))
                .cpu(CpuCores.of(96))
                .memory(Memory.ofGib(1024))
                .build());
      }
    }
    return ClusterState.of(builder.build());
  }

  private static ClusterState mixed() {
    return ClusterState.of(
        ClusterTopology.builder()
            .node(Node.builder("v").gpus(4, V100, Memory.ofGib(16)).build())
            .node(Node.builder("a").gpus(4, A100, Memory.ofGib(40)).build())
            .build());
  }

  private static Set<GpuModel> models(ClusterState state, Placement placement) {
    return placement.tasks().stream()
        .flatMap(task -> task.gpus().stream().map(gpu -> new GpuId(task.node(), gpu)))
        .map(gpu -> state.topology().gpu(gpu).model())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }
}
