package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.policy.Policies;
import org.junit.jupiter.api.Test;

/** Jobs of several roles are rejected only if it is certain that they can never run. */
class MixedRolesSchedulingTest {

  @Test
  void serversAndWorkersThatFitOnlySideBySideStart() {
    Session session = nodes(2, 64);

    assertThat(session.submit(serversAndWorkers(33)))
        .singleElement()
        .asString()
        .startsWith("start job");
  }

  @Test
  void serversThatLeaveNoCapacityForTheirWorkersAreRejected() {
    assertThat(nodes(2, 64).submit(serversAndWorkers(45))).containsExactly("reject job");
  }

  @Test
  void aJobOfUnprovenFeasibilityWaitsAndSaysSo() {
    Session session = nodes(14, 101);

    assertThat(session.submit(evenTasksForOddNodes())).isEmpty();
    assertThat(session.waiting()).containsExactly("job");
    assertThat(session.scheduler.explain(JobId.of("job")).describe())
        .contains("all tasks at once; a placement may exist that was not found");
  }

  @Test
  void aPreferredLevelThatTheClusterLacksRejectsNobody() {
    JobSpec.Builder job = Session.aJob("job", 9).topology(TopologyConstraint.preferred("rack"));

    assertThat(nodes(2, 64).submit(job)).singleElement().asString().startsWith("start job");
  }

  private static JobSpec.Builder serversAndWorkers(int coresOfServer) {
    return JobSpec.builder("job")
        .role("worker", 4, ResourceRequest.builder().gpus(1).cpu(CpuCores.of(10)).build())
        .role("ps", 2, cores(coresOfServer));
  }

  /** Returns tasks that take 1412 cores, of which 14 nodes of 101 can lend them 1400. */
  private static JobSpec.Builder evenTasksForOddNodes() {
    JobSpec.Builder job = JobSpec.builder("job").role("gpu", 1, ResourceRequest.ofGpus(1));
    for (int cores = 22; cores <= 44; cores += 2) {
      job.role("r" + cores, 3, cores(cores));
    }
    return job.role("last", 4, cores(50)).role("least", 1, cores(24));
  }

  private static ResourceRequest cores(int cores) {
    return ResourceRequest.builder().gpus(0).cpu(CpuCores.of(cores)).build();
  }

  private static Session nodes(int count, int cores) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int node = 0; node < count; node++) {
      cluster.node(
          Node.builder("n" + node)
              .gpus(8, GpuModel.of("A100"), Memory.ofGib(40))
              .cpu(CpuCores.of(cores))
              .build());
    }
    return new Session(LiquidScheduler.builder(cluster.build()).policy(Policies.fifo()).build());
  }
}
