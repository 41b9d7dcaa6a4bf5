package io.github.liquidscheduler.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.planner.cost.PlanCost;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.PlanOptions;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who waits when not all jobs fit. */
class JobOrderTest {

  @ParameterizedTest
  @ValueSource(strings = {"timefold", "greedy"})
  void ofEqualJobsTheLastWait(String planner) {
    BatchPlan plan = plan(planner, 12);

    assertThat(plan.starts())
        .extracting(Placement::job)
        .map(Object::toString)
        .containsExactly("j0", "j1", "j2", "j3", "j4", "j5");
    assertThat(plan.postponed()).hasSize(6);
  }

  @ParameterizedTest
  @ValueSource(strings = {"timefold", "greedy"})
  void aPlanOfNothingIsAPlan(String planner) {
    assertThat(plan(planner, 0).starts()).isEmpty();
  }

  /** Plans jobs of a server and two workers on nine nodes of two GPUs. */
  private static BatchPlan plan(String planner, int jobs) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int node = 0; node < 9; node++) {
      cluster.node(Node.builder("n" + node).gpus(2, GpuModel.of("T4"), Memory.ofGib(16)).build());
    }
    List<JobSpec> pending = IntStream.range(0, jobs).mapToObj(JobOrderTest::job).toList();
    PlanRequest request =
        PlanRequest.builder(ClusterState.of(cluster.build()))
            .pending(pending)
            .options(PlanOptions.builder().steps(3_000).boundRounds(0).build())
            .build();
    return BatchPlanners.named(planner, PlanCost.physical()).plan(request);
  }

  private static JobSpec job(int number) {
    return JobSpec.builder("j" + number)
        .role("ps", 1, ResourceRequest.ofGpus(1))
        .role("worker", 2, ResourceRequest.ofGpus(1))
        .communication(new Communication.ParameterServer("ps", "worker", 100_000_000))
        .build();
  }
}
