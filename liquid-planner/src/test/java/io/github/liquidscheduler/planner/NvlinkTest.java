package io.github.liquidscheduler.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.PlanOptions;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes with the same GPUs, but not the same NVLink. */
class NvlinkTest {

  @ParameterizedTest
  @ValueSource(strings = {"timefold", "greedy"})
  void aGangGoesToTheNodeWithTheFasterNvlink(String planner) {
    ClusterTopology cluster =
        ClusterTopology.builder().node(node("slow", 10)).node(node("fast", 200)).build();
    JobSpec gang =
        JobSpec.builder("gang")
            .role("worker", 2, ResourceRequest.ofGpus(1))
            .communication(new Communication.AllReduce(2_000_000_000))
            .build();

    PlanCost cost = PlanCost.physical().withLinksOfTheirOwn();
    PlanRequest request =
        PlanRequest.builder(ClusterState.of(cluster))
            .pending(gang)
            .options(PlanOptions.builder().steps(1000).build())
            .build();
    BatchPlan plan = BatchPlanners.named(planner, cost).plan(request);

    assertThat(plan.starts().getFirst().nodes()).containsExactly(NodeId.of("fast"));
  }

  private static Node node(String id, int gigabytesPerSecond) {
    return Node.builder(id)
        .gpus(2, GpuModel.of("A100"), Memory.ofGib(40))
        .nvlink(Bandwidth.ofGigabytesPerSecond(gigabytesPerSecond))
        .build();
  }
}
