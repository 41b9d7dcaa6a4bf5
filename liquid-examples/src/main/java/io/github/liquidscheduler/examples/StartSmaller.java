package io.github.liquidscheduler.examples;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Instant;
import java.util.List;

/** Starts a job of several sizes at the largest that fits. */
public final class StartSmaller {

  private StartSmaller() {}

  /** Prints the decisions. */
  public static void main(String[] arguments) {
    decide(Instant.now()).forEach(System.out::println);
  }

  /** Returns the decisions about a job that prefers 8 GPUs where 5 are free. */
  static List<Decision> decide(Instant now) {
    Scheduler scheduler =
        LiquidScheduler.builder(oneNode()).policy(Policies.bestEffortFifo()).build();
    JobSpec other = JobSpec.builder("train-7").gpus(3).build();
    scheduler.on(new ClusterEvent.JobSubmitted(now, other));
    // @start region="sizes"
    JobSpec job =
        JobSpec.builder("train-8").gpus(8).parallelism(Parallelism.between(2, 8, 8)).build();
    List<Decision> decisions = scheduler.on(new ClusterEvent.JobSubmitted(now, job));
    // @end
    return decisions;
  }

  private static ClusterTopology oneNode() {
    Node node = Node.builder("node-0").gpus(8, GpuModel.of("A100"), Memory.ofGib(40)).build();
    return ClusterTopology.builder().node(node).build();
  }
}
