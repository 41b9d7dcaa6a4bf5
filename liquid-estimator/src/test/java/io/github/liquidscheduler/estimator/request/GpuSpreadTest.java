package io.github.liquidscheduler.estimator.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nodes a and b in one rack, c in another, d in none; d has another model of GPU. */
class GpuSpreadTest {
  private static final GpuModel V100 = GpuModel.of("V100");

  private static final ClusterTopology CLUSTER =
      ClusterTopology.builder()
          .levels("rack")
          .domain(Domain.of("rack", "r1"))
          .domain(Domain.of("rack", "r2"))
          .node(node("a", "V100").domain("r1").build())
          .node(node("b", "V100").domain("r1").build())
          .node(node("c", "V100").domain("r2").build())
          .node(node("d", "A100").build())
          .build();

  @Test
  void gpusOfOneNodeAreWithinIt() {
    assertThat(GpuSpread.of(on("a", "a"), CLUSTER)).contains(new GpuSpread(V100, 2, "node"));
  }

  @Test
  void gpusOfTwoNodesAreWithinTheNarrowestDomainThatHoldsBoth() {
    assertThat(GpuSpread.of(on("a", "b"), CLUSTER)).contains(new GpuSpread(V100, 2, "rack"));
    assertThat(GpuSpread.of(on("a", "b", "c"), CLUSTER))
        .contains(new GpuSpread(V100, 3, "cluster"));
  }

  @Test
  void gpusOfTwoModelsHaveNoSpreadAndNeitherHasNone() {
    assertThat(GpuSpread.of(on("a", "d"), CLUSTER)).isEmpty();
    TaskPlacement cpuOnly =
        new TaskPlacement(task(0), new NodeId("a"), List.of(), ResourceRequest.builder().build());
    assertThat(GpuSpread.of(new Placement(new JobId("j"), List.of(cpuOnly)), CLUSTER)).isEmpty();
  }

  private static Placement on(String... nodes) {
    List<TaskPlacement> tasks = new ArrayList<>();
    for (String node : nodes) {
      tasks.add(
          new TaskPlacement(
              task(tasks.size()),
              new NodeId(node),
              List.of(tasks.size()),
              ResourceRequest.builder().gpus(1).build()));
    }
    return new Placement(new JobId("j"), tasks);
  }

  private static TaskId task(int index) {
    return new TaskId("worker", index);
  }

  private static Node.Builder node(String id, String gpu) {
    return Node.builder(id).gpus(4, GpuModel.of(gpu), Memory.ofGib(16));
  }
}
