package io.github.liquidscheduler.examples;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Instant;
import java.util.List;

/** A cluster, a scheduler, a job: an event goes in, decisions come out. */
public final class QuickStart {

  private QuickStart() {}

  /** Prints where the job starts. */
  public static void main(String[] arguments) {
    decide(Instant.now()).forEach(System.out::println);
  }

  /** Returns the decisions about one job of four GPUs on two nodes of eight. */
  static List<Decision> decide(Instant now) {
    // @start region="quickstart"
    GpuModel a100 = GpuModel.of("A100");
    ClusterTopology cluster =
        ClusterTopology.builder()
            .node(Node.builder("node-0").gpus(8, a100, Memory.ofGib(40)).build())
            .node(Node.builder("node-1").gpus(8, a100, Memory.ofGib(40)).build())
            .build();
    Scheduler scheduler = LiquidScheduler.builder(cluster).policy(Policies.fifo()).build();
    JobSpec job = JobSpec.builder("train-7").gpus(4).build();
    List<Decision> decisions = scheduler.on(new ClusterEvent.JobSubmitted(now, job));
    // @end
    return decisions;
  }
}
