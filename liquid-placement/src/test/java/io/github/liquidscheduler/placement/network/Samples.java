package io.github.liquidscheduler.placement.network;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.placement.cost.NetworkParameters;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.time.Duration;

/** Clusters, jobs and counts with round numbers. */
public final class Samples {

  /** Nothing lost to efficiency, latency, skew or pairs. */
  public static final NetworkParameters IDEAL =
      NetworkParameters.builder()
          .linkEfficiency(1)
          .fabricEfficiency(1)
          .linkLatency(Duration.ZERO)
          .fabricLatency(Duration.ZERO)
          .skew(0)
          .build();

  private Samples() {}

  /**
   * Returns two racks of four nodes of 8 GPUs: 100 GB/s between the GPUs of a node, 10 GB/s to the
   * rack, 20 GB/s from rack to rack.
   */
  public static ClusterTopology twoRacks() {
    ClusterTopology.Builder cluster = ClusterTopology.builder().levels("rack");
    for (int rack = 0; rack < 2; rack++) {
      cluster.domain(Domain.of("rack", "r" + rack).withUplink(link(20)));
      for (int node = 0; node < 4; node++) {
        cluster.node(node("r" + rack + "n" + node, 8, 100, 10).domain("r" + rack).build());
      }
    }
    return cluster.build();
  }

  public static Node.Builder node(String id, int gpus, int nvlinkGigabytes, int nicGigabytes) {
    return Node.builder(id)
        .gpus(gpus, GpuModel.of("A100"), Memory.ofGib(40))
        .nvlink(Bandwidth.ofGigabytesPerSecond(nvlinkGigabytes))
        .nic(link(nicGigabytes));
  }

  public static Link link(int gigabytesPerSecond) {
    return Link.of(Bandwidth.ofGigabytesPerSecond(gigabytesPerSecond));
  }

  /** Returns a job of tasks with one GPU each. */
  public static JobSpec job(String id, int tasks, Communication communication) {
    return JobSpec.builder(id)
        .role("worker", tasks, ResourceRequest.ofGpus(1))
        .communication(communication)
        .build();
  }

  /** Returns a job of parameter servers and workers with one GPU each. */
  public static JobSpec serverJob(String id, int servers, int workers, long bytes) {
    return JobSpec.builder(id)
        .role("ps", servers, ResourceRequest.ofGpus(1))
        .role("worker", workers, ResourceRequest.ofGpus(1))
        .communication(new Communication.ParameterServer("ps", "worker", bytes))
        .build();
  }

  /** Returns counts of one role, node by node. */
  public static TaskCounts counts(ClusterTopology topology, int... tasksOnNodes) {
    TaskCounts counts = new TaskCounts(topology.nodes().size(), 1);
    for (int node = 0; node < tasksOnNodes.length; node++) {
      if (tasksOnNodes[node] > 0) {
        counts.add(node, 0, tasksOnNodes[node]);
      }
    }
    return counts;
  }

  /** Returns counts of servers and workers, one string such as {@code "pw:w"}: a node each part. */
  public static TaskCounts placed(ClusterTopology topology, String nodes) {
    TaskCounts counts = new TaskCounts(topology.nodes().size(), 2);
    int node = 0;
    for (int i = 0; i < nodes.length(); i++) {
      char task = nodes.charAt(i);
      if (task == ':') {
        node++;
      } else {
        counts.add(node, task == 'p' ? 0 : 1, 1);
      }
    }
    return counts;
  }

  /** Returns the seconds that the traffic needs in one iteration beside {@code loads}. */
  static double seconds(NetworkModel model, Traffic traffic, TaskCounts counts, LinkLoads loads) {
    model.trace(traffic, counts);
    return model.seconds(traffic, loads);
  }
}
