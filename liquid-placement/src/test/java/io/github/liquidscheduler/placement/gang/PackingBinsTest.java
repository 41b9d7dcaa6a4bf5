package io.github.liquidscheduler.placement.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PackingBinsTest {

  private static final GpuModel V100 = GpuModel.of("V100");
  private static final GpuModel A100 = GpuModel.of("A100");
  private static final int GPUS = 0;
  private static final int SHARES = 1;
  private static final int CPU = 2;
  private static final int MEMORY = 3;

  @Test
  void theBinsOfANodeStandSideBySide() {
    ClusterState state = cluster(both("n0"), both("n1"));

    PackingBins bins = bins(state, workersAndServers(4, 2));

    assertThat(IntStream.range(0, bins.size()).map(bins::node)).containsExactly(0, 0, 1, 1);
    assertThat(IntStream.range(0, bins.size()).mapToObj(bins::startsNode))
        .containsExactly(true, false, true, false);
    assertThat(IntStream.range(0, bins.size()).mapToObj(bins::endsNode))
        .containsExactly(false, true, false, true);
    assertThat(bins.pool(0).model()).contains(V100);
    assertThat(bins.pool(1).model()).contains(A100);
  }

  @Test
  void tasksWithoutGpusGoInTheFirstBinOfANodeAlone() {
    PackingBins bins = bins(cluster(both("n0")), workersAndServers(4, 2));

    assertThat(fitting(bins, 0)).containsExactly(2, 1);
    assertThat(fitting(bins, 1)).containsExactly(2, 0);
  }

  @Test
  void aBinHoldsWhatIsFreeOfItsPoolAndOnItsNode() {
    ClusterState state = cluster(both("n0"));
    JobSpec first = JobSpec.builder("first").role("w", 1, request(1, 3, 2)).build();
    state.apply(BestFitPlacer.bestFit().place(state, first).orElseThrow());

    PackingBins bins = bins(state, workersAndServers(4, 2));

    assertThat(bins.free(0, GPUS)).isEqualTo(1);
    assertThat(bins.free(0, SHARES)).isEqualTo(1000);
    assertThat(bins.free(1, GPUS)).isEqualTo(2);
    assertThat(bins.free(1, SHARES)).isEqualTo(2000);
    assertThat(bins.free(1, CPU)).isEqualTo(5000);
    assertThat(bins.free(1, MEMORY)).isEqualTo(Memory.ofGib(6).bytes());
  }

  @Test
  void ofPoolsThatAreNotAllowedTheNodesAloneMayBeUsed() {
    ClusterState state = cluster(both("n0"), node("n1").gpus(2, A100, Memory.ofGib(40)));
    GpuPool v100 = state.index().pools().get(0);

    PackingBins bins = bins(state, workersAndServers(4, 2), List.of(v100));

    assertThat(bins.size()).isEqualTo(2);
    assertThat(fitting(bins, 0)).containsExactly(2, 1);
    assertThat(fitting(bins, 1)).containsExactly(0, 1);
    assertThat(bins.free(1, GPUS)).isZero();
    assertThat(bins.free(1, SHARES)).isZero();
  }

  @Test
  void nodesThatHoldNoTaskAreLeftOut() {
    ClusterState state =
        cluster(
            node("n0").gpus(1, V100, Memory.ofGib(16)),
            node("full").gpus(1, V100, Memory.ofGib(16)),
            node("lost").gpus(1, V100, Memory.ofGib(16)),
            node("n3").gpus(1, V100, Memory.ofGib(16)));
    JobSpec all =
        JobSpec.builder("all")
            .role("w", 1, request(1, 8, 0))
            .excludeNodes(List.of("n0", "lost", "n3"))
            .build();
    state.apply(BestFitPlacer.bestFit().place(state, all).orElseThrow());
    state.setHealth(NodeId.of("lost"), NodeHealth.LOST);

    PackingBins bins = bins(state, workersAndServers(4, 2));

    assertThat(IntStream.range(0, bins.size()).map(bins::node)).containsExactly(0, 3);
  }

  @Test
  void moreBinsThanTheFirstArraysHoldAreKept() {
    Node.Builder[] nodes =
        IntStream.range(0, 70)
            .mapToObj(i -> node("n" + i).gpus(1 + i % 3, V100, Memory.ofGib(16)))
            .toArray(Node.Builder[]::new);

    PackingBins bins = bins(cluster(nodes), workersAndServers(4, 2));

    assertThat(bins.size()).isEqualTo(70);
    for (int bin = 0; bin < 70; bin++) {
      assertThat(bins.node(bin)).isEqualTo(bin);
      assertThat(bins.free(bin, GPUS)).isEqualTo(1 + bin % 3);
      assertThat(fitting(bins, bin)).containsExactly(1 + bin % 3, 1);
    }
  }

  @Test
  void aBinHoldsNoMoreThanTheRoleHasOrTheSpreadAllows() {
    ClusterState state = cluster(node("n0").gpus(8, V100, Memory.ofGib(16)));

    assertThat(bins(state, workersAndServers(3, 1)).fitting(0, 0)).isEqualTo(3);
    assertThat(
            bins(
                    state,
                    workersAndServers(6, 1).topology(TopologyConstraint.NONE.andSpread(2, "node")))
                .fitting(0, 0))
        .isEqualTo(2);
  }

  @Test
  void partsOfGpusCountInSumOnTheGpusThatAreThere() {
    ClusterState state = cluster(node("n0").gpus(4, V100, Memory.ofGib(16)));
    JobSpec third = JobSpec.builder("third").role("w", 1, share(300, 0)).build();
    state.apply(BestFitPlacer.bestFit().place(state, third).orElseThrow());
    state.fail(GpuId.of("n0", 3));

    PackingBins bins = bins(state, sharesAndWorkers(share(400, 0)));

    assertThat(bins.free(0, GPUS)).isEqualTo(2);
    assertThat(bins.free(0, SHARES)).isEqualTo(2700);
    assertThat(sharesFitting(bins)).isEqualTo(1 + 2 + 2);
  }

  @Test
  void gpuMemoryLimitsPartsOfGpus() {
    ClusterState state = cluster(node("n0").gpus(2, V100, Memory.ofGib(16)));
    JobSpec large = JobSpec.builder("large").role("w", 1, share(100, 10)).build();
    state.apply(BestFitPlacer.bestFit().place(state, large).orElseThrow());

    assertThat(sharesFitting(bins(state, sharesAndWorkers(share(200, 3))))).isEqualTo(2 + 5);
    assertThat(sharesFitting(bins(state, sharesAndWorkers(share(400, 3))))).isEqualTo(2 + 2);
  }

  @Test
  void partsOfGpusOfOtherPoolsDoNotCount() {
    PackingBins bins = bins(cluster(both("n0")), sharesAndWorkers(share(500, 0)));

    assertThat(bins.free(0, SHARES)).isEqualTo(2000);
    assertThat(bins.free(1, SHARES)).isEqualTo(2000);
    assertThat(sharesFitting(bins)).isEqualTo(4);
  }

  @Test
  void requestsAreOfWholeGpusOrOfParts() {
    PackingBins bins = bins(cluster(both("n0")), sharesAndWorkers(share(300, 0)));

    assertThat(bins.requests).containsExactly(1, 1000, 2000, Memory.ofGib(1).bytes(), 0, 300, 0, 0);
  }

  private static int[] fitting(PackingBins bins, int bin) {
    return IntStream.range(0, bins.tasks.length).map(role -> bins.fitting(bin, role)).toArray();
  }

  /** Returns how many tasks of the role on parts of GPUs the first bin holds. */
  private static int sharesFitting(PackingBins bins) {
    return bins.fitting(0, 1);
  }

  private static JobSpec.Builder workersAndServers(int workers, int servers) {
    return JobSpec.builder("job")
        .role("worker", workers, request(1, 1, 0))
        .role("server", servers, request(0, 5, 0));
  }

  private static JobSpec.Builder sharesAndWorkers(ResourceRequest share) {
    return JobSpec.builder("job").role("small", 9, share).role("worker", 1, request(1, 2, 1));
  }

  private static PackingBins bins(ClusterState state, JobSpec.Builder job) {
    return bins(state, job, state.index().pools());
  }

  private static PackingBins bins(ClusterState state, JobSpec.Builder job, List<GpuPool> pools) {
    CapacityIndex index = state.index();
    NodeRange all = new NodeRange(0, index.topology().nodes().size());
    return new PackingBins(index, new GangShape(job.build(), index), all, pools);
  }

  private static ResourceRequest request(int gpus, int cores, int gib) {
    return ResourceRequest.builder()
        .gpus(gpus)
        .cpu(CpuCores.of(cores))
        .memory(Memory.ofGib(gib))
        .build();
  }

  private static ResourceRequest share(int thousandths, int gib) {
    return ResourceRequest.builder()
        .share(new GpuShare(thousandths))
        .gpuMemory(Memory.ofGib(gib))
        .build();
  }

  private static ClusterState cluster(Node.Builder... nodes) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (Node.Builder node : nodes) {
      cluster.node(node.build());
    }
    return ClusterState.of(cluster.build());
  }

  /** Returns a node with two GPUs of each of two models. */
  private static Node.Builder both(String id) {
    return node(id).gpus(2, V100, Memory.ofGib(16)).gpus(2, A100, Memory.ofGib(40));
  }

  private static Node.Builder node(String id) {
    return Node.builder(id).cpu(CpuCores.of(8)).memory(Memory.ofGib(8));
  }
}
