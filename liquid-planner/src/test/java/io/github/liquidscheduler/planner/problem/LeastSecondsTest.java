package io.github.liquidscheduler.planner.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.planner.BatchPlanners;
import io.github.liquidscheduler.planner.PlanCost;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.PlanCertificate;
import io.github.liquidscheduler.planning.PlanOptions;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeastSecondsTest {

  private static final double NANOSECOND = 1e-9;

  private final ClusterState cluster = cluster();

  @ParameterizedTest
  @ValueSource(ints = {2, 8, 9, 16, 40})
  void aGangAloneOnAQuietClusterCostsWhatItMustCost(int gpus) {
    JobSpec gang = sums("gang", gpus);

    PlanCertificate certificate = plan(List.of(gang)).certificate();

    assertThat(certificate.cost()).isPositive();
    assertThat(certificate.lowerBound()).isCloseTo(certificate.cost(), within(NANOSECOND));
  }

  @Test
  void serversWithTheirWorkersAreBoundedToo() {
    JobSpec gang =
        JobSpec.builder("gang")
            .role("server", 1, ResourceRequest.ofGpus(1))
            .role("worker", 10, ResourceRequest.ofGpus(1))
            .communication(new Communication.ParameterServer("server", "worker", 1_000_000_000))
            .build();
    PlanCertificate certificate = plan(List.of(gang)).certificate();

    assertThat(certificate.lowerBound()).isPositive().isLessThanOrEqualTo(certificate.cost());
  }

  @Test
  void gangsThatShareLinksCostMoreThanTheBound() {
    BatchPlan plan = plan(List.of(sums("one", 20), sums("other", 20)));

    assertThat(plan.starts()).hasSize(2);
    assertThat(plan.certificate().gap()).isGreaterThan(0.01);
    assertThat(plan.certificate().lowerBound()).isPositive();
  }

  private BatchPlan plan(List<JobSpec> jobs) {
    PlanCost cost = PlanCost.physical().withFragmentation(0);
    PlanOptions options = PlanOptions.builder().steps(2000).build();
    return BatchPlanners.timefold(cost)
        .plan(PlanRequest.builder(cluster).pending(jobs).options(options).build());
  }

  private static JobSpec sums(String id, int gpus) {
    return JobSpec.builder(id)
        .role("worker", gpus, ResourceRequest.ofGpus(1))
        .communication(new Communication.AllReduce(1_000_000_000))
        .build();
  }

  /** Returns 5 nodes of 8 GPUs on one switch. */
  private static ClusterState cluster() {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int node = 0; node < 5; node++) {
      cluster.node(
          Node.builder("node-" + node)
              .gpus(8, GpuModel.of("A100"), Memory.ofGib(40))
              .nic(Link.of(Bandwidth.ofGigabitsPerSecond(25)))
              .nvlink(Bandwidth.ofGigabytesPerSecond(200))
              .build());
    }
    return ClusterState.of(cluster.build());
  }
}
