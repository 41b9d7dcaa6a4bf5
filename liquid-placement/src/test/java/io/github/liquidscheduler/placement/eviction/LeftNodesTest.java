package io.github.liquidscheduler.placement.eviction;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.gang.TaskShape;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two racks, each of a node of four GPUs on which jobs hold three of them, one by one. */
class LeftNodesTest {

  private final ClusterTopology cluster =
      ClusterTopology.builder()
          .levels("rack")
          .domain(Domain.of("rack", "r0"))
          .domain(Domain.of("rack", "r1"))
          .node(node("n0", "r0"))
          .node(node("n1", "r1"))
          .build();
  private final ClusterState state = ClusterState.of(cluster);

  @Test
  void whatIsFreeCountsWhereSomebodyLeaves() {
    fill();
    LeftNodes left = new LeftNodes(state.index());
    left.add(held("n0", 0));

    assertThat(left.mayHold(tasks(1, 2), shapes(2))).isTrue();
    assertThat(left.mayHold(tasks(1, 3), shapes(3))).isFalse();
  }

  @Test
  void tasksCountOnAllNodesThatAreLeft() {
    fill();
    LeftNodes left = new LeftNodes(state.index());
    left.add(held("n0", 0));
    left.add(held("n1", 2));

    assertThat(left.mayHold(tasks(2, 2), shapes(2).getFirst(), 2)).isTrue();
    assertThat(left.mayHold(tasks(3, 2), shapes(2).getFirst(), 3)).isFalse();
  }

  @Test
  void nothingIsLeftOnceAllHaveComeBack() {
    fill();
    LeftNodes left = new LeftNodes(state.index());
    left.add(held("n0", 0));
    left.clear();
    left.add(held("n1", 2));

    assertThat(left.mayHold(tasks(1, 2), shapes(2))).isTrue();
    assertThat(left.mayHold(tasks(2, 2), shapes(2).getFirst(), 2)).isFalse();
  }

  @Test
  void whatHasBecomeFreeCountsOnceTheyBeginAgain() {
    fill();
    LeftNodes left = new LeftNodes(state.index());
    left.add(held("n0", 0));
    state.release(JobId.of("n0-1"));
    left.begin();
    left.add(held("n0", 0));

    assertThat(left.mayHold(tasks(1, 3), shapes(3))).isTrue();
  }

  @Test
  void tasksThatMustGoInOneDomainCountInEachAlone() {
    fill();
    LeftNodes left = new LeftNodes(state.index());
    left.add(held("n0", 0));
    left.add(held("n1", 2));

    assertThat(holds(left, "rack", 2, 2)).isTrue();
    assertThat(holds(left, "rack", 3, 3)).isFalse();
    assertThat(holds(left, "node", 2, 2)).isTrue();
    assertThat(holds(left, "node", 3, 3)).isFalse();
    assertThat(holds(left, "cluster", 3, 3)).isTrue();
  }

  @Test
  void whatIsLeftInADomainCountsOnlyIfAllTasksCanGoThere() {
    fill();
    LeftNodes left = new LeftNodes(state.index());
    left.add(held("n0", 0));

    assertThat(holds(left, "rack", 2, 1)).isTrue();
    assertThat(holds(left, "rack", 3, 1)).isFalse();
  }

  /** Returns true if this number of tasks of one GPU may be held in one domain. */
  private static boolean holds(LeftNodes left, String level, int tasks, int missing) {
    JobSpec job = tasks(tasks, 1).toBuilder().topology(TopologyConstraint.required(level)).build();
    return left.mayHold(job, TaskShape.of(job.roles().getFirst()), missing);
  }

  private void fill() {
    for (String node : List.of("n0", "n1")) {
      for (int gpu = 0; gpu < 3; gpu++) {
        JobSpec job =
            JobSpec.builder(node + "-" + gpu).role("w", 1, ResourceRequest.ofGpus(1)).build();
        state.apply(job, placement(node, gpu));
      }
    }
  }

  private NodeSet held(String node, int gpu) {
    return new NodeSet(placement(node, gpu), cluster);
  }

  private static Placement placement(String node, int gpu) {
    JobSpec job = JobSpec.builder(node + "-" + gpu).role("w", 1, ResourceRequest.ofGpus(1)).build();
    return new Placement(
        job.id(),
        List.of(
            new TaskPlacement(
                new TaskId("w", 0), NodeId.of(node), List.of(gpu), ResourceRequest.ofGpus(1))));
  }

  private static JobSpec tasks(int count, int gpus) {
    return JobSpec.builder("waits").role("w", count, ResourceRequest.ofGpus(gpus)).build();
  }

  private static List<TaskShape> shapes(int gpus) {
    return List.of(TaskShape.of(tasks(1, gpus).roles().getFirst()));
  }

  private static Node node(String id, String rack) {
    return Node.builder(id).gpus(4, GpuModel.of("V100"), Memory.ofGib(16)).domain(rack).build();
  }
}
