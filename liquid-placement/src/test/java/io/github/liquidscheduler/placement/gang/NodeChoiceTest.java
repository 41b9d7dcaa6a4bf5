package io.github.liquidscheduler.placement.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.capacity.Holding;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which node is chosen for tasks of one GPU and two cores. */
class NodeChoiceTest {

  private static final GpuModel V100 = GpuModel.of("V100");

  /** What a node has beside four GiB of memory. */
  private record Has(int gpus, int cores) {}

  private CapacityIndex index = indexOf(node(1, 1));

  @Test
  void ofEqualNodesTheFirstIsChosen() {
    cluster(node(4, 4), node(4, 4), node(3, 4));

    assertThat(largest(5)).isEqualTo("2 tasks on node 0");
  }

  @Test
  void theNodeThatHoldsMostTasksIsChosen() {
    cluster(node(4, 2), node(4, 6), node(3, 8));

    assertThat(largest(5)).isEqualTo("3 tasks on node 1");
    assertThat(largest(2)).isEqualTo("2 tasks on node 1");
  }

  @Test
  void aNodeThatHoldsAsManyIsNotChosenForHavingFewerGpus() {
    cluster(node(2, 4), node(4, 4));

    assertThat(largest(5)).isEqualTo("2 tasks on node 1");
  }

  @Test
  void noNodeIsChosenWhereNoneHoldsATask() {
    cluster(node(4, 1), node(0, 8));

    assertThat(largest(5)).isEqualTo("none");
  }

  @Test
  void noMoreThan32NodesThatHoldATaskAreLookedAt() {
    cluster(nodesOfOneTaskAndOneOfTwo(31));
    assertThat(largest(3)).isEqualTo("2 tasks on node 31");

    cluster(nodesOfOneTaskAndOneOfTwo(32));
    assertThat(largest(3)).isEqualTo("1 tasks on node 0");
  }

  @Test
  void nodesThatHoldNoTaskAreNoLooks() {
    Has[] nodes = IntStream.range(0, 50).mapToObj(i -> node(4, i < 40 ? 1 : 4)).toArray(Has[]::new);
    cluster(nodes);

    assertThat(largest(3)).isEqualTo("2 tasks on node 40");
  }

  @Test
  void theNodeWithFewestFreeGpusThatHoldsAllIsChosen() {
    cluster(node(4, 8), node(3, 5), node(3, 6), node(3, 9));

    assertThat(tightest(3)).isEqualTo("3 tasks on node 2");
    assertThat(tightest(4)).isEqualTo("4 tasks on node 0");
    assertThat(tightest(5)).isEqualTo("none");
  }

  @Test
  void ofGpusOfWhichOthersHoldAPartTheFullestThatHasEnoughIsChosen() {
    cluster(node(2, 8), node(2, 8), node(2, 1));
    hold(0, 0, 300, 0);
    hold(1, 1, 500, 0);
    hold(2, 0, 520, 0);

    assertThat(besideOthers(400, 0)).isEqualTo("GPU 1 of node 1");
    assertThat(besideOthers(480, 0)).isEqualTo("GPU 1 of node 1");
    assertThat(besideOthers(500, 0)).isEqualTo("GPU 1 of node 1");
    assertThat(besideOthers(501, 0)).isEqualTo("GPU 0 of node 0");
    assertThat(besideOthers(701, 0)).isEqualTo("none");
  }

  @Test
  void aPartlyHeldGpuNeedsTheDeviceMemory() {
    cluster(node(2, 8), node(2, 8));
    hold(0, 0, 500, 10);
    hold(1, 0, 500, 9);

    assertThat(besideOthers(500, 6)).isEqualTo("GPU 0 of node 0");
    assertThat(besideOthers(500, 7)).isEqualTo("GPU 0 of node 1");
    assertThat(besideOthers(500, 8)).isEqualTo("none");
  }

  @Test
  void ofTheGpusOfANodeTheFullestThatHasEnoughIsChosen() {
    cluster(node(4, 8));
    hold(0, 0, 100, 0);
    hold(0, 1, 300, 0);
    hold(0, 2, 200, 0);

    assertThat(besideOthers(600, 0)).isEqualTo("GPU 1 of node 0");
    assertThat(besideOthers(750, 0)).isEqualTo("GPU 2 of node 0");
  }

  @Test
  void aNodeThatHasExactlyWhatATaskRequestsHoldsIt() {
    cluster(node(1, 2));
    hold(0, 0, 500, 0);

    assertThat(besideOthers(500, 0)).isEqualTo("GPU 0 of node 0");
  }

  @Test
  void tasksWithoutGpusGoWhereFewGpusAreFree() {
    cluster(node(4, 8), node(1, 8), node(2, 8));
    JobSpec job = JobSpec.builder("job").role("server", 9, cores(2)).build();

    assertThat(text(choice(job).largest(task(job), 9, all(), index.pools())))
        .isEqualTo("4 tasks on node 1");
  }

  @Test
  void aRangeMayHoldTasksThatItsNodesHoldTogether() {
    cluster(node(4, 4), node(1, 8), node(2, 0));
    JobSpec job = job(TopologyConstraint.NONE);

    assertThat(choice(job).mayHold(task(job), 3, all(), index.pools())).isTrue();
    assertThat(choice(job).mayHold(task(job), 4, all(), index.pools())).isFalse();
    assertThat(choice(job).mayHold(task(job), 2, new NodeRange(1, 3), index.pools())).isFalse();
  }

  @Test
  void noMoreTasksGoOnANodeThanTheSpreadAllows() {
    cluster(node(4, 8), node(4, 8));
    JobSpec job = job(TopologyConstraint.NONE.andSpread(3, "node"));

    assertThat(text(choice(job).largest(task(job), 5, all(), index.pools())))
        .isEqualTo("3 tasks on node 0");
    assertThat(choice(job).tightestForAll(task(job), 4, all(), index.pools())).isNull();
  }

  private String largest(int tasks) {
    JobSpec job = job(TopologyConstraint.NONE);
    return text(choice(job).largest(task(job), tasks, all(), index.pools()));
  }

  private String tightest(int tasks) {
    JobSpec job = job(TopologyConstraint.NONE);
    return text(choice(job).tightestForAll(task(job), tasks, all(), index.pools()));
  }

  private String besideOthers(int share, int gib) {
    ResourceRequest request =
        ResourceRequest.builder()
            .share(new GpuShare(share))
            .gpuMemory(Memory.ofGib(gib))
            .cpu(CpuCores.of(2))
            .memory(Memory.ofGib(4))
            .build();
    JobSpec job = JobSpec.builder("job").role("part", 1, request).build();
    NodeChoice.@Nullable SharedSlot slot =
        choice(job).besideOthers(task(job), all(), index.pools(), new DevicePicker(index));
    return slot == null ? "none" : "GPU " + slot.gpu() + " of node " + slot.node();
  }

  private static String text(NodeChoice.@Nullable Chosen chosen) {
    return chosen == null ? "none" : chosen.tasks() + " tasks on node " + chosen.node();
  }

  private NodeChoice choice(JobSpec job) {
    return new NodeChoice(index, new GangShape(job, index), new Picks(index), node -> true);
  }

  private static JobSpec job(TopologyConstraint constraint) {
    ResourceRequest request = ResourceRequest.builder().gpus(1).cpu(CpuCores.of(2)).build();
    return JobSpec.builder("job").role("worker", 9, request).topology(constraint).build();
  }

  private static ResourceRequest cores(int cores) {
    return ResourceRequest.builder().cpu(CpuCores.of(cores)).build();
  }

  private static TaskShape task(JobSpec job) {
    return TaskShape.of(job.roles().getFirst());
  }

  private NodeRange all() {
    return new NodeRange(0, index.topology().nodes().size());
  }

  private void hold(int node, int gpu, int share, int gib) {
    index.take(new Holding.Amounts(node, new int[] {gpu}, share, Memory.ofGib(gib).bytes(), 0, 0));
  }

  /** Returns some nodes of four GPUs that hold a task, and one that holds two. */
  private static Has[] nodesOfOneTaskAndOneOfTwo(int first) {
    return IntStream.rangeClosed(0, first)
        .mapToObj(i -> node(4, i < first ? 2 : 4))
        .toArray(Has[]::new);
  }

  private void cluster(Has... nodes) {
    index = indexOf(nodes);
  }

  private static CapacityIndex indexOf(Has... nodes) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int i = 0; i < nodes.length; i++) {
      cluster.node(
          Node.builder("n" + i)
              .gpus(nodes[i].gpus(), V100, Memory.ofGib(16))
              .cpu(CpuCores.of(nodes[i].cores()))
              .memory(Memory.ofGib(4))
              .build());
    }
    return ClusterState.of(cluster.build()).index();
  }

  private static Has node(int gpus, int cores) {
    return new Has(gpus, cores);
  }
}
