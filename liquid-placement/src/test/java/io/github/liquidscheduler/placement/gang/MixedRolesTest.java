package io.github.liquidscheduler.placement.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Jobs whose roles compete for the same nodes, and what is an empty cluster's last word. */
class MixedRolesTest {

  private static final GpuModel V100 = GpuModel.of("V100");
  private static final GpuModel A100 = GpuModel.of("A100");

  private final BestFitPlacer placer = BestFitPlacer.bestFit();

  @Test
  void serversAndWorkersThatFitOnlySideBySideArePlaced() {
    requirePlaced(nodes(2, 8, 64), serversAndWorkers(2, 33));
    requirePlaced(nodes(2, 8, 64), serversAndWorkers(2, 44));
    requirePlaced(nodes(16, 8, 64), serversAndWorkers(16, 40));
  }

  @Test
  void serversThatLeaveNoCapacityForTheirWorkersAreInfeasible() {
    assertThat(placer.isInfeasible(nodes(2, 8, 64), serversAndWorkers(2, 45))).isTrue();
  }

  @Test
  void aLeaderGoesOnANodeWithItsLabelAndWorkersLeaveItToIt() {
    ClusterState state =
        ClusterState.of(
            ClusterTopology.builder()
                .node(node("a", 1, 8, 64))
                .node(
                    Node.builder("b").gpus(1, V100, Memory.ofGib(16)).label("net", "fast").build())
                .build());
    TaskRole leader = new TaskRole("leader", 1, ResourceRequest.ofGpus(1));
    JobSpec job =
        JobSpec.builder("job")
            .role("worker", 1, ResourceRequest.ofGpus(1))
            .role(leader.on(Map.of("net", "fast")))
            .build();

    Placement placement = placer.place(state, job).orElseThrow();

    assertThat(placement.tasks())
        .extracting(task -> task.task().role() + " on " + task.node())
        .containsExactly("worker on a", "leader on b");
    assertThat(placer.isInfeasible(state, job.toBuilder().role(twoMore()).build())).isTrue();
  }

  private static TaskRole twoMore() {
    return new TaskRole("more", 1, ResourceRequest.ofGpus(0)).on(Map.of("net", "slow"));
  }

  @Test
  void aTaskLeavesTheRicherNodeToTheOneThatNeedsIt() {
    ClusterState state =
        ClusterState.of(
            ClusterTopology.builder()
                .node(node("a", 2, 14, 65))
                .node(node("b", 3, 10, 67))
                .build());

    requirePlaced(
        state,
        JobSpec.builder("job")
            .role("first", 1, request(2, 2).memory(Memory.ofGib(58)).build())
            .role("second", 1, request(1, 11).memory(Memory.ofGib(9)).build())
            .build());
  }

  @Test
  void coresAreLeftToTheGpusOfAnotherModelOnTheSameNode() {
    ClusterState state =
        ClusterState.of(
            ClusterTopology.builder()
                .node(
                    Node.builder("both")
                        .gpus(2, V100, Memory.ofGib(16))
                        .gpus(2, A100, Memory.ofGib(40))
                        .cpu(CpuCores.of(6))
                        .build())
                .node(
                    Node.builder("one").gpus(2, V100, Memory.ofGib(16)).cpu(CpuCores.of(4)).build())
                .build());

    requirePlaced(
        state,
        JobSpec.builder("job")
            .role("small", 1, request(1, 1).build())
            .role("large", 2, request(2, 3).build())
            .role("server", 1, request(0, 3).build())
            .build());
  }

  @Test
  void twoRolesOfMoreThanHalfANodeNeedANodeForEachTask() {
    JobSpec job = pair(30, request(0, 33), 30, request(0, 40));

    assertThat(placer.isInfeasible(nodes(59, 1, 64), job)).isTrue();
    requirePlaced(nodes(60, 1, 64), job);
  }

  @Test
  void whatIsNeitherPlacedNorProvedImpossibleIsNotInfeasible() {
    ClusterState state = nodes(14, 1, 101);
    JobSpec job = evenTasksForOddNodes(14);

    assertThat(placer.place(state, job)).isEmpty();
    assertThat(placer.isInfeasible(state, job)).isFalse();
    assertThat(placer.unmetConstraints(state, job))
        .extracting(UnmetConstraint::scope)
        .contains("all tasks at once; a placement may exist that was not found");
  }

  @Test
  void aSearchThatGivesUpHasTakenTheStepsAllowed() {
    CapacityIndex index = nodes(14, 1, 101).index();
    GangShape gang = new GangShape(evenTasksForOddNodes(14), index);
    GangPacking packing = new GangPacking(index, gang, new NodeRange(0, 14), index.pools());

    assertThat(packing.pack(10_000)).isEqualTo(GangPacking.Outcome.GAVE_UP);
    assertThat(packing.steps()).isBetween(10_000L, 11_000L);
  }

  @Test
  void tasksOnPartsOfGpusLeaveWholeGpusToOthers() {
    JobSpec job =
        JobSpec.builder("job")
            .role("small", 4, shareOf(500).cpu(CpuCores.of(2)).build())
            .role("large", 2, request(1, 13).build())
            .build();

    requirePlaced(nodes(2, 2, 17), job);
    assertThat(placer.isInfeasible(nodes(2, 2, 16), job)).isTrue();
  }

  @Test
  void aSpreadOverTheWholeClusterIsKept() {
    ClusterState state = nodes(4, 8, 64);
    TopologyConstraint atMostTwo = TopologyConstraint.NONE.andSpread(2, ClusterTopology.CLUSTER);

    requirePlaced(state, JobSpec.builder("two").gpus(2).topology(atMostTwo).build());
    requirePlaced(
        state, pair(2, request(1, 1), 2, request(2, 1)).toBuilder().topology(atMostTwo).build());
    assertThat(
            placer.isInfeasible(
                state, JobSpec.builder("three").gpus(3).topology(atMostTwo).build()))
        .isTrue();
  }

  @Test
  void aPreferredLevelThatTheClusterLacksRejectsNobody() {
    TopologyConstraint rack = TopologyConstraint.preferred("rack");

    requirePlaced(nodes(2, 8, 64), JobSpec.builder("job").gpus(16).topology(rack).build());
  }

  @Test
  void aGpuOfWhichAThousandthIsHeldIsNotFree() {
    ClusterState state = nodes(1, 1, 64);
    JobSpec sliver = JobSpec.builder("sliver").role("worker", 1, shareOf(1).build()).build();
    state.apply(placer.place(state, sliver).orElseThrow());
    JobSpec whole = JobSpec.builder("whole").gpus(1).build();

    assertThat(state.freeGpus()).isZero();
    assertThat(placer.place(state, whole)).isEmpty();
    assertThat(placer.isInfeasible(nodes(1, 1, 64), whole)).isFalse();
  }

  @Test
  void theGpusOfOneTaskHaveOneMemorySize() {
    Node twoSizes =
        Node.builder("n0")
            .gpu(Gpu.of(A100, Memory.ofGib(40)))
            .gpu(Gpu.of(A100, Memory.ofGib(80)))
            .build();
    ClusterState state = ClusterState.of(ClusterTopology.builder().node(twoSizes).build());
    JobSpec both = JobSpec.builder("both").role("worker", 1, ResourceRequest.ofGpus(2)).build();

    assertThat(placer.isInfeasible(state, both)).isTrue();
    assertThat(placer.unmetConstraints(state, both))
        .extracting(UnmetConstraint::constraint)
        .containsExactly(Constraint.GPUS_PER_NODE);
    requirePlaced(state, JobSpec.builder("each").gpus(2).build());
  }

  private void requirePlaced(ClusterState state, JobSpec job) {
    assertThat(placer.place(state, job))
        .hasValueSatisfying(
            placement -> {
              assertThat(new PlacementRules(state.topology(), job).brokenBy(placement)).isEmpty();
              assertThat(state.fits(placement)).isTrue();
            });
    assertThat(placer.isInfeasible(state, job)).isFalse();
  }

  /** Returns two workers of a GPU and 10 cores for each server. */
  private static JobSpec serversAndWorkers(int servers, int cores) {
    return pair(2 * servers, request(1, 10), servers, request(0, cores));
  }

  private static JobSpec pair(
      int first, ResourceRequest.Builder each, int second, ResourceRequest.Builder other) {
    return JobSpec.builder("job")
        .role("worker", first, each.build())
        .role("ps", second, other.build())
        .build();
  }

  /**
   * Returns tasks of even numbers of cores, as many in sum as nodes of 101 have and thus more than
   * the 100 of them that can be used: what no sum of tasks tells.
   */
  private static JobSpec evenTasksForOddNodes(int nodes) {
    JobSpec.Builder job = JobSpec.builder("job").role("gpu", 1, ResourceRequest.ofGpus(1));
    int left = 101 * nodes;
    for (int cores = 22; left > 3 * 50; cores += 2) {
      int count = Math.min(3, left / cores);
      job.role("r" + cores, count, request(0, cores).build());
      left -= count * cores;
    }
    return job.role("last", 3, request(0, left / 6 * 2).build()).build();
  }

  private static ResourceRequest.Builder request(int gpus, int cores) {
    return ResourceRequest.builder().gpus(gpus).cpu(CpuCores.of(cores));
  }

  private static ResourceRequest.Builder shareOf(int thousandths) {
    return ResourceRequest.builder().share(new GpuShare(thousandths));
  }

  private static ClusterState nodes(int count, int gpus, int cores) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int node = 0; node < count; node++) {
      cluster.node(node("n" + node, gpus, cores, 512));
    }
    return ClusterState.of(cluster.build());
  }

  private static Node node(String id, int gpus, int cores, int memory) {
    return Node.builder(id)
        .gpus(gpus, A100, Memory.ofGib(40))
        .cpu(CpuCores.of(cores))
        .memory(Memory.ofGib(memory))
        .build();
  }
}
