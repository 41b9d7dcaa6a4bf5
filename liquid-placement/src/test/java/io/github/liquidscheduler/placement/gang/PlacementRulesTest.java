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
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nodes a and b are in rack r0, c and d in rack r1; d has A100s and a disk label. */
class PlacementRulesTest {

  private static final GpuModel V100 = GpuModel.of("V100");
  private static final GpuModel A100 = GpuModel.of("A100");
  private static final ResourceRequest ONE_GPU = ResourceRequest.ofGpus(1);
  private static final String NOT_THERE = "a node or GPU is not in the cluster";
  private static final String NOT_WHOLE =
      "its tasks are not those of the job, each with what it requests";
  private static final String NOT_ALLOWED = "a GPU model or node is not allowed";
  private static final String LEVEL = "the required level does not hold";
  private static final String SPLIT = "a slice is split";
  private static final String CROWDED = "too many tasks lie in one domain";

  private final ClusterTopology cluster =
      ClusterTopology.builder()
          .levels("rack")
          .domain(Domain.of("rack", "r0"))
          .domain(Domain.of("rack", "r1"))
          .node(node("a", "r0", V100).build())
          .node(node("b", "r0", V100).build())
          .node(node("c", "r1", V100).build())
          .node(node("d", "r1", A100).label("disk", "ssd").build())
          .build();

  @Test
  void nodesAndGpusMustBeThere() {
    assertBroken(NOT_THERE, gang(1), on("elsewhere", 0));
    assertBroken(NOT_THERE, gang(1), on("a", 2));
    assertHolds(gang(1), on("a", 1));
  }

  @Test
  void tasksMustBeThoseOfTheJobInTheirOrder() {
    assertBroken(NOT_WHOLE, gang(2), on("a", 0));
    assertBroken(NOT_WHOLE, gang(1), on("a", 0), on("a", 1));
    assertBroken(NOT_WHOLE, gang(1), task("server", 0, "a", ONE_GPU, 0));
    assertBroken(
        NOT_WHOLE, gang(2), task("worker", 1, "a", ONE_GPU, 0), task("worker", 0, "a", ONE_GPU, 1));
    assertHolds(gang(2), on("a", 0), on("a", 1));
  }

  @Test
  void onlyTheFirstRoleIsElastic() {
    JobSpec.Builder job =
        JobSpec.builder("j")
            .role("worker", 2, ONE_GPU)
            .role("server", 1, ONE_GPU)
            .parallelism(Parallelism.between(1, 2, 3));
    TaskPlacement server = task("server", 0, "b", ONE_GPU, 0);

    assertHolds(job, on("a", 0), server);
    assertHolds(job, on("a", 0), on("a", 1), on("b", 1), server);
    assertBroken(NOT_WHOLE, job, server);
    assertBroken(NOT_WHOLE, job, on("a", 0), on("a", 1), on("b", 1));
  }

  @Test
  void aTaskHoldsWhatItRequests() {
    JobSpec.Builder job = JobSpec.builder("j").role("worker", 1, ONE_GPU);

    assertBroken(NOT_WHOLE, job, task("worker", 0, "a", ResourceRequest.ofGpus(2), 0, 1));
    assertBroken(NOT_WHOLE, job, task("worker", 0, "a", aGpu().cpu(CpuCores.of(1)).build(), 0));
    assertBroken(NOT_WHOLE, job, task("worker", 0, "a", aGpu().memory(Memory.ofGib(1)).build(), 0));
    assertBroken(
        NOT_WHOLE,
        JobSpec.builder("j").role("worker", 1, ResourceRequest.ofGpus(2)),
        task("worker", 0, "a", ONE_GPU, 0));
  }

  @Test
  void anExclusiveTaskMayHoldALargerShareButNoSmallerOne() {
    JobSpec.Builder job = JobSpec.builder("j").role("worker", 1, share(50));

    assertHolds(job, task("worker", 0, "a", share(50), 0));
    assertHolds(job, task("worker", 0, "a", withMemory(50), 0));
    assertHolds(job, task("worker", 0, "a", share(80), 0));
    assertHolds(job, task("worker", 0, "a", ONE_GPU, 0));
    assertBroken(NOT_WHOLE, job, task("worker", 0, "a", share(40), 0));
  }

  @Test
  void aTaskThatSharesMayHoldAnyShareAndMemoryThatItDidNotState() {
    JobSpec.Builder job = gang(1).sharing(new Sharing.Opportunistic());
    ResourceRequest half = aGpu().share(GpuShare.ofPercent(50)).gpuMemory(Memory.ofGib(4)).build();
    ResourceRequest stated = aGpu().gpuMemory(Memory.ofGib(8)).build();

    assertHolds(job, task("worker", 0, "a", half, 0));
    assertBroken(
        NOT_WHOLE,
        JobSpec.builder("j").role("worker", 1, stated).sharing(new Sharing.Opportunistic()),
        task("worker", 0, "a", half, 0));
  }

  @Test
  void labelsExcludedNodesAndModelsAreKept() {
    assertBroken(NOT_ALLOWED, gang(1).nodeLabel("disk", "ssd"), on("a", 0));
    assertHolds(gang(1).nodeLabel("disk", "ssd"), on("d", 0));
    assertBroken(NOT_ALLOWED, gang(1).excludeNodes(List.of("a")), on("a", 0));
    assertHolds(gang(1).excludeNodes(List.of("a")), on("b", 0));
    assertBroken(NOT_ALLOWED, gang(1).gpuModels(List.of(A100)), on("a", 0));
    assertHolds(gang(1).gpuModels(List.of(A100, V100)), on("a", 0));
  }

  @Test
  void aJobThatNamesModelsRunsOnOneOfThemAlone() {
    JobSpec.Builder job = gang(2).gpuModels(List.of(A100, V100));

    assertBroken(NOT_ALLOWED, job, on("c", 0), on("d", 0));
    assertHolds(gang(2), on("c", 0), on("d", 0));
  }

  @Test
  void aRequiredLevelHolds() {
    assertBroken(
        LEVEL, gang(2).topology(TopologyConstraint.required("rack")), on("b", 0), on("c", 0));
    assertHolds(gang(2).topology(TopologyConstraint.required("rack")), on("a", 0), on("b", 0));
    assertBroken(
        LEVEL, gang(2).topology(TopologyConstraint.required("node")), on("a", 0), on("b", 0));
    assertHolds(gang(2).topology(TopologyConstraint.required("cluster")), on("a", 0), on("c", 0));
    assertBroken(LEVEL, gang(1).topology(TopologyConstraint.required("galaxy")), on("a", 0));
    assertHolds(gang(1).topology(TopologyConstraint.required("node")), on("a", 0));
  }

  @Test
  void noSliceIsSplitBetweenDomains() {
    JobSpec.Builder job = gang(3).topology(TopologyConstraint.NONE.andSlices(2, "rack"));

    assertHolds(job, on("a", 0), on("b", 0), on("c", 0));
    assertBroken(SPLIT, job, on("a", 0), on("c", 0), on("c", 1));
  }

  @Test
  void slicesAreOfTheFirstRoleAlone() {
    JobSpec.Builder job =
        JobSpec.builder("j")
            .role("worker", 3, ONE_GPU)
            .role("server", 1, ONE_GPU)
            .topology(TopologyConstraint.NONE.andSlices(2, "rack"));

    assertHolds(job, on("a", 0), on("b", 0), on("c", 0), task("server", 0, "a", ONE_GPU, 1));
  }

  @Test
  void aSpreadCountsTheTasksOfEachRoleInADomain() {
    JobSpec.Builder job =
        JobSpec.builder("j")
            .role("worker", 2, ONE_GPU)
            .role("server", 1, ONE_GPU)
            .topology(TopologyConstraint.NONE.andSpread(1, "rack"));

    assertHolds(job, on("a", 0), on("c", 0), task("server", 0, "a", ONE_GPU, 1));
    assertBroken(CROWDED, job, on("a", 0), on("b", 0), task("server", 0, "c", ONE_GPU, 1));
  }

  private void assertHolds(JobSpec.Builder job, TaskPlacement... tasks) {
    assertThat(brokenBy(job, tasks)).isEmpty();
  }

  private void assertBroken(String rule, JobSpec.Builder job, TaskPlacement... tasks) {
    assertThat(brokenBy(job, tasks)).containsExactly(rule);
  }

  private List<String> brokenBy(JobSpec.Builder job, TaskPlacement... tasks) {
    List<TaskPlacement> numbered = new ArrayList<>();
    Arrays.stream(tasks).forEach(task -> numbered.add(numbered(task, numbered.size())));
    return new PlacementRules(cluster, job.build())
        .brokenBy(new Placement(JobId.of("j"), numbered)).stream().toList();
  }

  private static TaskPlacement numbered(TaskPlacement task, int index) {
    return task.task().role().equals("next")
        ? new TaskPlacement(new TaskId("worker", index), task.node(), task.gpus(), task.request())
        : task;
  }

  /** Returns the next worker on one GPU. */
  private static TaskPlacement on(String node, int gpu) {
    return task("next", 0, node, ONE_GPU, gpu);
  }

  private static TaskPlacement task(
      String role, int index, String node, ResourceRequest held, int... gpus) {
    return new TaskPlacement(
        new TaskId(role, index), NodeId.of(node), Arrays.stream(gpus).boxed().toList(), held);
  }

  private static JobSpec.Builder gang(int workers) {
    return JobSpec.builder("j").role("worker", workers, ONE_GPU);
  }

  private static ResourceRequest.Builder aGpu() {
    return ResourceRequest.builder().gpus(1);
  }

  private static ResourceRequest share(int percent) {
    return ResourceRequest.builder().share(GpuShare.ofPercent(percent)).build();
  }

  private static ResourceRequest withMemory(int percent) {
    return aGpu().share(GpuShare.ofPercent(percent)).gpuMemory(Memory.ofGib(1)).build();
  }

  private static Node.Builder node(String id, String rack, GpuModel model) {
    return Node.builder(id).domain(rack).gpus(2, model, Memory.ofGib(16)).cpu(CpuCores.of(8));
  }
}
