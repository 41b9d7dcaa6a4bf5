package io.github.liquidscheduler.placement.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is left of a gang and of nodes, what they hold at most, and which task goes next. */
class PackingStateTest {

  private static final GpuModel V100 = GpuModel.of("V100");
  private static final GpuModel A100 = GpuModel.of("A100");
  private static final int GPUS = 0;
  private static final int CPU = 2;
  private static final int WORKER = 0;
  private static final int SERVER = 1;

  /** Four workers of a GPU and two cores, and two servers of five cores. */
  private final JobSpec.Builder job =
      JobSpec.builder("job")
          .role("worker", 4, request(1, 2, 0))
          .role("server", 2, request(0, 5, 0));

  private PackingBins bins = bins(cluster(node("n0", "r0", 2, 8)), job.build());

  @Test
  void whatIsOnABinIsNoLongerLeft() {
    PackingState state = state(cluster(node("n0", "r0", 2, 8), node("n1", "r0", 4, 8)));
    assertThat(state.fitting(0, WORKER)).isEqualTo(2);
    assertThat(state.fitting(0, SERVER)).isEqualTo(1);

    state.add(0, WORKER, 1);
    assertThat(state.fitting(0, WORKER)).isEqualTo(1);
    assertThat(state.rest(0, GPUS)).isEqualTo(1);
    assertThat(state.rest(0, CPU)).isEqualTo(6000);
    state.add(0, SERVER, 1);
    assertThat(state.fitting(0, WORKER)).isZero();
    state.add(0, SERVER, -1);
    assertThat(state.fitting(0, WORKER)).isEqualTo(1);

    assertThat(state.advance(0)).isFalse();
    assertThat(state.left(1, WORKER)).isEqualTo(3);
    assertThat(state.left(1, SERVER)).isEqualTo(2);
  }

  @Test
  void aGangIsCompleteWhenNoTaskIsLeft() {
    PackingState state = state(cluster(node("n0", "r0", 2, 14), node("n1", "r0", 2, 14)));
    state.add(0, WORKER, 2);
    state.add(0, SERVER, 1);
    assertThat(state.advance(0)).isTrue();
    assertThat(state.isComplete(0)).isFalse();

    state.add(1, WORKER, 2);
    state.add(1, SERVER, 1);
    assertThat(state.advance(1)).isTrue();
    assertThat(state.isComplete(1)).isTrue();
  }

  @Test
  void theLastBinMustTakeAllThatIsLeft() {
    PackingState state = state(cluster(node("n0", "r0", 4, 8)));
    state.add(0, WORKER, 4);

    assertThat(state.advance(0)).isFalse();
    assertThat(state.isComplete(0)).isFalse();
  }

  @Test
  void asManyTasksMustBeOnABinAsTheLaterOnesDoNotHold() {
    PackingState state = state(cluster(node("n0", "r0", 3, 20), node("n1", "r0", 2, 20)));

    assertThat(state.fewest(0, WORKER)).isEqualTo(2);
    assertThat(state.fewest(0, SERVER)).isZero();
    state.add(0, WORKER, 3);
    state.advance(0);
    assertThat(state.fewest(1, WORKER)).isEqualTo(1);
    assertThat(state.fewest(1, SERVER)).isEqualTo(2);
  }

  @Test
  void theBinsOfANodeShareItsCpu() {
    PackingState state =
        state(
            cluster(
                Node.builder("n0").gpus(2, V100, gib(16)).gpus(2, A100, gib(40)).cpu(cores(20))));
    state.add(0, WORKER, 2);
    state.add(0, SERVER, 2);

    assertThat(state.advance(0)).isTrue();
    assertThat(state.rest(1, GPUS)).isEqualTo(2);
    assertThat(state.rest(1, CPU)).isEqualTo(6000);
    assertThat(state.fitting(1, WORKER)).isEqualTo(2);
    assertThat(state.fitting(1, SERVER)).isZero();
    assertThat(state.bound().free(0, CPU)).isEqualTo(20_000);
    assertThat(state.bound().free(1, CPU)).isZero();
    assertThat(state.bound().free(0, GPUS)).isEqualTo(4);
    assertThat(state.isIndependent(1)).isFalse();
  }

  @Test
  void noMoreTasksOfARoleAreInADomainThanTheSpreadAllows() {
    job.topology(TopologyConstraint.NONE.andSpread(3, "rack"));
    PackingState state =
        state(cluster(node("n0", "r0", 2, 9), node("n1", "r0", 2, 9), node("n2", "r1", 2, 9)));
    assertThat(state.bound().fitting(0, WORKER)).isEqualTo(5);
    assertThat(state.bound().fitting(1, WORKER)).isEqualTo(4);
    assertThat(state.bound().fitting(2, WORKER)).isEqualTo(2);
    assertThat(state.isIndependent(1)).isFalse();
    assertThat(state.isIndependent(2)).isTrue();

    state.add(0, WORKER, 2);
    assertThat(state.advance(0)).isTrue();
    assertThat(state.fitting(1, WORKER)).isEqualTo(1);
    state.add(1, WORKER, 1);
    assertThat(state.advance(1)).isFalse();
  }

  @Test
  void aSliceIsWholeWhereItsDomainEndsAndOneMayBeSmaller() {
    job.topology(TopologyConstraint.NONE.andSlices(3, "rack"));
    PackingState state =
        state(cluster(node("n0", "r0", 2, 20), node("n1", "r0", 2, 20), node("n2", "r1", 2, 20)));
    assertThat(state.isSliced(WORKER)).isTrue();
    assertThat(state.isSliced(SERVER)).isFalse();

    state.add(0, WORKER, 2);
    assertThat(state.advance(0)).isTrue();
    state.add(1, WORKER, 1);
    assertThat(state.advance(1)).isTrue();
    assertThat(state.hasLastSlice(2)).isFalse();
    state.add(2, WORKER, 1);
    state.add(2, SERVER, 2);
    assertThat(state.advance(2)).isTrue();
    assertThat(IntStream.range(0, 3).mapToObj(bin -> state.isOfLastSlice(bin, 3)))
        .containsExactly(false, false, true);
  }

  @Test
  void onlyOneSliceIsSmallerThanTheOthers() {
    job.topology(TopologyConstraint.NONE.andSlices(3, "rack"));
    PackingState state =
        state(cluster(node("n0", "r0", 1, 20), node("n1", "r1", 3, 20), node("n2", "r1", 3, 20)));
    state.add(0, WORKER, 1);
    assertThat(state.advance(0)).isTrue();
    assertThat(state.hasLastSlice(1)).isTrue();
    assertThat(state.isIndependent(1)).isTrue();
    state.add(1, WORKER, 2);
    assertThat(state.advance(1)).isTrue();
    assertThat(state.isIndependent(2)).isFalse();
    assertThat(state.advance(2)).isFalse();

    state.begin();
    state.add(0, WORKER, 0);
    assertThat(state.advance(0)).isTrue();
    assertThat(state.hasLastSlice(1)).isFalse();
  }

  @Test
  void aSliceOfAnotherSizeThanTheLastIsNone() {
    job.topology(TopologyConstraint.NONE.andSlices(3, "rack"));
    PackingState state = state(cluster(node("n0", "r0", 2, 20), node("n1", "r1", 4, 20)));
    state.add(0, WORKER, 2);

    assertThat(state.advance(0)).isFalse();
  }

  @Test
  void tasksAreMoreThanTheNodesHoldByRoleOrInSum() {
    assertThat(isHopeless(node("n0", "r0", 4, 18))).isFalse();
    assertThat(isHopeless(node("n0", "r0", 3, 18))).isTrue();
    assertThat(isHopeless(node("n0", "r0", 4, 17))).isTrue();
    assertThat(isHopeless(node("n0", "r0", 2, 9), node("n1", "r0", 2, 9))).isFalse();
  }

  @Test
  void theLargestTasksOfAllRolesAreCountedTogether() {
    JobSpec halves =
        JobSpec.builder("halves")
            .role("worker", 2, request(1, 5, 0))
            .role("server", 1, request(0, 6, 0))
            .build();
    ClusterState two = cluster(node("n0", "r0", 2, 9), node("n1", "r0", 2, 9));
    ClusterState three =
        cluster(node("n0", "r0", 2, 9), node("n1", "r0", 2, 9), node("n2", "r0", 2, 9));

    assertThat(state(two, halves).isHopeless(false)).isFalse();
    assertThat(state(two, halves).isHopeless(true)).isTrue();
    assertThat(state(three, halves).isHopeless(true)).isFalse();
  }

  @Test
  void theBinsLeftMustHoldTheTasksLeft() {
    PackingState state =
        state(cluster(node("n0", "r0", 2, 9), node("n1", "r0", 3, 9), node("n2", "r0", 1, 9)));
    state.add(0, WORKER, 1);
    state.add(0, SERVER, 1);

    assertThat(state.advance(0)).isTrue();
    assertThat(state.requested(1, GPUS)).isEqualTo(3);
    assertThat(state.requested(1, CPU)).isEqualTo(3 * 2000 + 5000);
    assertThat(state.bound().isExceeded(1, new int[] {4, 2}, 0)).isFalse();
    assertThat(state.bound().isExceeded(1, new int[] {5, 1}, 0)).isTrue();
    assertThat(state.bound().isExceeded(1, new int[] {9, 9, 4, 1}, 2)).isFalse();
    assertThat(state.bound().isExceeded(2, new int[] {1, 2}, 0)).isTrue();
  }

  @Test
  void eachOrderPrefersTheTaskOfWhatItIsNamedFor() {
    JobSpec roles =
        JobSpec.builder("roles")
            .role("gpus", 2, request(4, 1, 1))
            .role("cores", 2, request(0, 30, 1))
            .role("bytes", 2, request(0, 1, 40))
            .build();
    ClusterState state =
        cluster(
            Node.builder("n0").gpus(4, V100, gib(16)).cpu(cores(100)).memory(gib(400)),
            Node.builder("n1").gpus(4, V100, gib(16)).cpu(cores(100)).memory(gib(400)));

    assertThat(next(PackingOrder.LARGEST, state, roles)).isEqualTo("gpus");
    assertThat(next(PackingOrder.MOST_CPU, state, roles)).isEqualTo("cores");
    assertThat(next(PackingOrder.MOST_MEMORY, state, roles)).isEqualTo("bytes");
    assertThat(next(PackingOrder.DOT_PRODUCT, state, roles)).isEqualTo("gpus");
  }

  @Test
  void anOrderTakesWhatIsMostLikeWhatIsLeftOnTheBin() {
    JobSpec roles =
        JobSpec.builder("roles")
            .role("gpus", 2, request(1, 1, 0))
            .role("cores", 2, request(0, 10, 0))
            .build();
    ClusterState state =
        cluster(
            Node.builder("n0").gpus(2, V100, gib(16)).cpu(cores(40)),
            Node.builder("n1").gpus(38, V100, gib(16)).cpu(cores(20)));

    assertThat(next(PackingOrder.DOT_PRODUCT, state, roles)).isEqualTo("cores");
  }

  @Test
  void noTaskIsNextWhereNoneFits() {
    PackingState state = state(cluster(node("n0", "r0", 2, 8), node("n1", "r0", 2, 10)));
    state.add(0, WORKER, 2);
    assertThat(PackingOrder.LARGEST.next(bins, state, 0)).isEqualTo(-1);

    state.add(0, WORKER, -1);
    assertThat(PackingOrder.LARGEST.next(bins, state, 0)).isNotEqualTo(-1);
  }

  private String next(PackingOrder order, ClusterState cluster, JobSpec roles) {
    PackingState state = state(cluster, roles);
    return bins.tasks[order.next(bins, state, 0)].role().name();
  }

  private boolean isHopeless(Node.Builder... nodes) {
    return state(cluster(nodes)).isHopeless(false);
  }

  private PackingState state(ClusterState cluster) {
    return state(cluster, job.build());
  }

  private PackingState state(ClusterState cluster, JobSpec spec) {
    bins = bins(cluster, spec);
    CapacityIndex index = cluster.index();
    PackingState state = new PackingState(index, new GangShape(spec, index), bins);
    state.begin();
    return state;
  }

  private static PackingBins bins(ClusterState cluster, JobSpec spec) {
    CapacityIndex index = cluster.index();
    NodeRange all = new NodeRange(0, index.topology().nodes().size());
    return new PackingBins(index, new GangShape(spec, index), all, index.pools());
  }

  private static ResourceRequest request(int gpus, int cores, int gib) {
    return ResourceRequest.builder().gpus(gpus).cpu(cores(cores)).memory(gib(gib)).build();
  }

  private static CpuCores cores(int cores) {
    return CpuCores.of(cores);
  }

  private static Memory gib(int gib) {
    return Memory.ofGib(gib);
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

  private static Node.Builder node(String id, String rack, int gpus, int cores) {
    return Node.builder(id).domain(rack).gpus(gpus, V100, gib(16)).cpu(cores(cores));
  }
}
