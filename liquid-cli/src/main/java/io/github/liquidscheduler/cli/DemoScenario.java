package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.simulator.Simulation;
import io.github.liquidscheduler.simulator.trace.SampleTrace;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.util.List;

/** The cluster, the jobs and the policies of the demo. */
final class DemoScenario {

  static final List<String> POLICIES = List.of("fifo", "best-effort-fifo", "sjf", "srtf", "las");

  private static final int NODES_PER_RACK = 2;

  private final ClusterTopology cluster = newCluster();
  private final Trace trace = SampleTrace.read();

  private static ClusterTopology newCluster() {
    ClusterTopology.Builder builder = ClusterTopology.builder().levels("rack");
    addRack(builder, "rack-a", "V100", 16);
    addRack(builder, "rack-b", "A100", 40);
    return builder.build();
  }

  ClusterTopology topology() {
    return cluster;
  }

  Trace trace() {
    return trace;
  }

  /** Returns a simulation under a policy, with a scheduler of its own. */
  Simulation.Builder simulation(String policy) {
    LiquidScheduler scheduler =
        LiquidScheduler.builder(cluster).policy(Policies.named(policy)).build();
    return Simulation.builder(trace, scheduler).submittedAs(DemoScenario::submission);
  }

  /**
   * Each worker needs 8 cores and 60 GiB. Large language models need the memory of an A100; gangs
   * of several GPUs must not leave their rack.
   */
  private static JobSpec submission(TraceJob job) {
    String model = job.model().orElse("unknown");
    ResourceRequest.Builder worker =
        ResourceRequest.builder().gpus(1).cpu(CpuCores.of(8)).memory(Memory.ofGib(60));
    if (model.startsWith("bert")) {
      worker.gpuMemory(Memory.ofGib(32));
    }
    JobSpec.Builder spec =
        JobSpec.builder(job.id())
            .role("worker", job.gpus(), worker.build())
            .workload(Workload.builder(model).build())
            .expectedWork(ExpectedWork.ofDuration(job.duration().orElseThrow()));
    if (job.gpus() > 1) {
      spec.topology(TopologyConstraint.required("rack"));
    }
    return spec.build();
  }

  private static void addRack(
      ClusterTopology.Builder cluster, String rack, String model, long gpuGib) {
    cluster.domain(Domain.of("rack", rack).withUplink(Link.of(Bandwidth.ofGigabitsPerSecond(400))));
    for (int number = 1; number <= NODES_PER_RACK; number++) {
      cluster.node(
          Node.builder(rack + "-" + number)
              .domain(rack)
              .gpus(8, GpuModel.of(model), Memory.ofGib(gpuGib))
              .cpu(CpuCores.of(96))
              .memory(Memory.ofGib(768))
              .nic(Link.of(Bandwidth.ofGigabitsPerSecond(100)))
              .nvlink(Bandwidth.ofGigabytesPerSecond(300))
              .build());
    }
  }
}
