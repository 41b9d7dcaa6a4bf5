package io.github.liquidscheduler.placement.eviction;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.gang.TaskShape;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Two nodes of four GPUs that have grown: n0 is free, on n1 a job of rank 7 holds all. */
class GrownNodesTest {

  private static final NodeAmounts ONE_GPU = new NodeAmounts(1, 0, 0, 0);
  private static final NodeAmounts FIVE_GPUS = new NodeAmounts(5, 0, 0, 0);

  private final ClusterTopology cluster =
      ClusterTopology.builder().node(node("n0")).node(node("n1")).build();
  private final ClusterState state = ClusterState.of(cluster);
  private final Placement held = place("held", "n1");

  @Test
  void aJobWithoutVictimsIsNextWhereCapacityIsFree() {
    GrownNodes nodes = grown();

    assertThat(nodes.mayHold(ONE_GPU)).isTrue();
    assertThat(nodes.nextHeld(requests(FIVE_GPUS, ONE_GPU), 0)).isEqualTo(1);
  }

  @Test
  void aJobWithVictimsIsNextWhereCapacityIsFreeToo() {
    GrownNodes nodes = grown().forOthersToLeave();
    nodes.mayLeave(7, new NodeSet(held, cluster), 1);

    assertThat(nodes.withoutAbove(7).mayHold(ONE_GPU)).isTrue();
    assertThat(nodes.withoutAbove(7).nextHeld(requests(FIVE_GPUS, ONE_GPU), 0)).isEqualTo(1);
  }

  @Test
  void whoeverMayHaveThemLeaveIsNextOnlyWhereTheyRankHigher() {
    GrownNodes all = grown();
    GrownNodes nodes = all.forOthersToLeave();
    nodes.mayLeave(7, new NodeSet(held, cluster), 1);
    Placement first = place("first", "n0");
    state.apply(JobSpec.builder("first").gpus(4).build(), first);
    all.readFree(new NodeSet(first, cluster));

    assertThat(nodes.withoutAbove(7).nextHeld(requests(ONE_GPU), 0)).isEqualTo(1);
    assertThat(nodes.withoutAbove(6).nextHeld(requests(ONE_GPU), 0)).isEqualTo(0);
  }

  @Test
  void whatGrowsLaterCountsAsIfItHadGrownWithTheRest() {
    state.apply(JobSpec.builder("held").gpus(4).build(), held);
    Growth first = new Growth(0, new NodeSet(place("gone", "n0"), cluster));
    Growth second = new Growth(0, new NodeSet(held, cluster));
    GrownNodes nodes = new GrownNodes(state.index(), positions(0), List.of(first), 1);
    state.release(held.job());

    nodes.growOn(positions(1), List.of(second), 2);

    assertThat(tasksOfOneGpu(nodes)).containsExactly(8, 4, 0);
    assertThat(
            tasksOfOneGpu(
                new GrownNodes(state.index(), positions(0, 1), List.of(first, second), 1)))
        .containsExactly(8, 4, 0);
    assertThat(nodes.areAnyAt(positions(1))).isTrue();
    assertThat(nodes.areAnyAt(positions(2))).isFalse();
  }

  /** Returns how many more tasks fit since the first growth, the second and the one after it. */
  private static List<Integer> tasksOfOneGpu(GrownNodes nodes) {
    JobSpec job = JobSpec.builder("waits").role("worker", 9, ResourceRequest.ofGpus(1)).build();
    TaskShape task = TaskShape.of(job.roles().getFirst());
    return Stream.of(1, 2, 3)
        .map(since -> nodes.moreTasks(job, ONE_GPU, task, 0, since, 9))
        .toList();
  }

  private static BitSet positions(int... nodes) {
    BitSet positions = new BitSet();
    IntStream.of(nodes).forEach(positions::set);
    return positions;
  }

  private GrownNodes grown() {
    state.apply(JobSpec.builder("held").gpus(4).build(), held);
    return new GrownNodes(
        state.index(),
        positions(0, 1),
        List.of(new Growth(0, new NodeSet(place("gone", "n0"), cluster))),
        1);
  }

  private static LeastRequests requests(NodeAmounts... each) {
    LeastRequests requests = new LeastRequests();
    for (int i = 0; i < each.length; i++) {
      requests.add(i, each[i]);
    }
    return requests;
  }

  private static Placement place(String job, String node) {
    TaskPlacement task =
        new TaskPlacement(
            new TaskId("worker", 0),
            NodeId.of(node),
            IntStream.range(0, 4).boxed().toList(),
            ResourceRequest.ofGpus(4));
    return new Placement(JobId.of(job), List.of(task));
  }

  private static Node node(String id) {
    return Node.builder(id).gpus(4, GpuModel.of("V100"), Memory.ofGib(16)).build();
  }
}
