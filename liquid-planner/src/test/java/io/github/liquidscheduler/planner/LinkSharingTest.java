package io.github.liquidscheduler.planner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.planning.PlanCertificate;
import io.github.liquidscheduler.planning.PlanOptions;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Random gangs that have to share links, on nearly full clusters of 25 Gbit/s. */
class LinkSharingTest {

  private static final int SEEDS = 4;
  private static final long STEPS = 20_000;

  @ParameterizedTest
  @CsvSource({"20, 2, 20, .95, 3", "16, 4, 4, .97, 3 5", "32, 8, 4, .95, 5 7 11 13"})
  void plansCostLessThanPlacingJobByJob(
      int nodes, int gpus, int nodesInRack, double load, String sizes) {
    ClusterTopology cluster = cluster(nodes, gpus, nodesInRack);
    List<Integer> gangs = Splitter.on(" ").splitToStream(sizes).map(Integer::valueOf).toList();

    double saved =
        LongStream.range(0, SEEDS)
            .mapToObj(seed -> certificate(cluster, jobs(cluster, load, gangs, seed), seed))
            .mapToDouble(plan -> 1 - plan.cost() / plan.greedyCost())
            .average()
            .orElseThrow();

    assertThat(saved).isGreaterThan(0.03);
  }

  private static PlanCertificate certificate(
      ClusterTopology cluster, List<JobSpec> jobs, long seed) {
    PlanOptions options = PlanOptions.builder().steps(STEPS).boundRounds(0).seed(seed).build();
    PlanRequest request =
        PlanRequest.builder(ClusterState.of(cluster)).pending(jobs).options(options).build();
    return BatchPlanners.timefold().plan(request).certificate();
  }

  private static List<JobSpec> jobs(
      ClusterTopology cluster, double load, List<Integer> gangs, long seed) {
    Random random = new Random(seed);
    List<JobSpec> jobs = new ArrayList<>();
    int left = (int) (load * cluster.gpuCount());
    while (left > 0) {
      int gpus = Math.min(left, gangs.get(random.nextInt(gangs.size())));
      left -= gpus;
      jobs.add(
          JobSpec.builder("job-" + jobs.size())
              .role("worker", gpus, ResourceRequest.ofGpus(1))
              .communication(new Communication.AllReduce(60_000_000L << random.nextInt(6)))
              .build());
    }
    return jobs;
  }

  private static ClusterTopology cluster(int nodes, int gpus, int nodesInRack) {
    ClusterTopology.Builder cluster = ClusterTopology.builder().levels("rack");
    for (int node = 0; node < nodes; node++) {
      String rack = "rack-" + node / nodesInRack;
      if (node % nodesInRack == 0) {
        cluster.domain(
            Domain.of("rack", rack).withUplink(Link.of(Bandwidth.ofGigabitsPerSecond(50))));
      }
      cluster.node(
          Node.builder("node-" + node)
              .domain(rack)
              .gpus(gpus, GpuModel.of("A100"), Memory.ofGib(40))
              .nic(Link.of(Bandwidth.ofGigabitsPerSecond(25)))
              .nvlink(Bandwidth.ofGigabytesPerSecond(200))
              .build());
    }
    return cluster.build();
  }
}
