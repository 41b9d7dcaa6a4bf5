package io.github.liquidscheduler.placement.eviction;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.gang.TaskShape;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On each of two GPUs of a node two jobs hold a half. */
class ClusterCapacityTest {

  private final ClusterTopology cluster =
      ClusterTopology.builder()
          .node(Node.builder("n").gpus(2, GpuModel.of("V100"), Memory.ofGib(16)).build())
          .build();
  private final ClusterState state = ClusterState.of(cluster);
  private ClusterCapacity capacity = new ClusterCapacity(state.index());

  @BeforeEach
  void fill() {
    for (int i = 0; i < 4; i++) {
      state.apply(half("half-" + i), placement(i));
    }
    capacity = new ClusterCapacity(state.index());
  }

  @Test
  void halvesOfTwoGpusAreNoWholeOne() {
    leave(0);
    leave(2);

    assertThat(capacity.lack(whole())).contains(new ClusterCapacity.Lack(task(whole()), 1));
  }

  @Test
  void halvesOfOneGpuAreAWholeOne() {
    leave(0);
    leave(1);

    assertThat(capacity.lack(whole())).isEmpty();
  }

  @Test
  void halvesOfTwoGpusHoldTwoHalves() {
    leave(0);
    leave(2);

    assertThat(capacity.lack(halves(2))).isEmpty();
    assertThat(capacity.lack(halves(3))).contains(new ClusterCapacity.Lack(task(halves(3)), 1));
  }

  @Test
  void whoeverComesBackTakesItsShare() {
    leave(0);
    leave(1);
    capacity.remove(held(1));

    assertThat(capacity.lack(whole())).isPresent();
  }

  @Test
  void theRestOfALostGpuIsNoCapacity() {
    leave(0);
    leave(1);
    state.fail(new GpuId(NodeId.of("n"), 0));

    assertThat(capacity.lack(whole())).isPresent();
  }

  private void leave(int job) {
    capacity.add(held(job));
  }

  private NodeSet held(int job) {
    return new NodeSet(placement(job), cluster);
  }

  private static Placement placement(int job) {
    JobSpec spec = half("half-" + job);
    return new Placement(
        spec.id(),
        List.of(
            new TaskPlacement(
                new TaskId("worker", 0),
                NodeId.of("n"),
                List.of(job / 2),
                spec.roles().getFirst().request())));
  }

  private static JobSpec half(String id) {
    return JobSpec.builder(id).role("worker", 1, halfOfAGpu()).build();
  }

  private static JobSpec halves(int tasks) {
    return JobSpec.builder("halves").role("worker", tasks, halfOfAGpu()).build();
  }

  private static JobSpec whole() {
    return JobSpec.builder("whole").gpus(1).build();
  }

  private static ResourceRequest halfOfAGpu() {
    return ResourceRequest.builder().gpus(1).share(GpuShare.ofThousandths(500)).build();
  }

  private static TaskShape task(JobSpec job) {
    return TaskShape.of(job.roles().getFirst());
  }
}
