package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.simulator.failure.FailureScript;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Small clusters, traces and schedulers for tests. Times are in seconds. */
final class Runs {

  private Runs() {}

  /** Nodes n0, n1, … of this many GPUs each. */
  static ClusterTopology cluster(int... gpus) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int node = 0; node < gpus.length; node++) {
      cluster.node(
          Node.builder("n" + node).gpus(gpus[node], GpuModel.of("V100"), Memory.ofGib(16)).build());
    }
    return cluster.build();
  }

  static TraceJob job(String id, long submit, int gpus, long duration) {
    return TraceJob.builder(id)
        .submit(Duration.ofSeconds(submit))
        .gpus(gpus)
        .duration(Duration.ofSeconds(duration))
        .build();
  }

  static Trace trace(TraceJob... jobs) {
    return Trace.of("test", List.of(jobs));
  }

  static Scheduler scheduler(String policy, ClusterTopology cluster) {
    return LiquidScheduler.builder(cluster).policy(Policies.named(policy)).build();
  }

  static FailureScript script(ClusterTopology cluster, ClusterEvent... events) {
    return FailureScript.of(cluster, List.of(events));
  }

  static Instant at(long seconds) {
    return Instant.ofEpochSecond(seconds);
  }

  /** The end of each job, as in {@code a=10, b=20}; what did not finish is left out. */
  static String ends(SimulationResult result) {
    return String.join(
        ", ",
        result.finished().stream()
            .map(job -> job.job().id() + "=" + job.outcome().end().toSeconds())
            .toList());
  }
}
