package io.github.liquidscheduler.examples;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.estimator.interference.CompositePredictor;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Co-locates jobs on GPUs where the shipped models predict little slowdown. */
public final class ShareGpus {

  private ShareGpus() {}

  /** Prints the decisions. */
  public static void main(String[] arguments) {
    decide(Instant.parse("2026-01-01T12:00:00Z")).forEach(System.out::println);
  }

  /**
   * Returns the decisions about three jobs on two GPUs, one of which is guaranteed 60 % of its
   * speed.
   */
  static List<Decision> decide(Instant now) {
    ClusterTopology cluster =
        ClusterTopology.builder()
            .node(Node.builder("n0").gpus(2, GpuModel.of("V100"), Memory.ofGib(16)).build())
            .build();
    List<Decision> decisions = new ArrayList<>();
    try (CompositePredictor predictor = CompositePredictor.shipped()) {
      // @start region="share"
      Scheduler scheduler =
          LiquidScheduler.builder(cluster)
              .policy(Policies.bestEffortFifo())
              .colocation(Colocation.of(predictor))
              .build();
      // @end
      for (JobSpec job : jobs()) {
        decisions.addAll(scheduler.on(new ClusterEvent.JobSubmitted(now, job)));
      }
    }
    return decisions;
  }

  private static List<JobSpec> jobs() {
    return List.of(
        job("recommender", "Recommendation", 8192, new Sharing.Guaranteed(0.6)),
        job("translator", "Transformer", 256, new Sharing.Opportunistic()),
        job("classifier", "ResNet-18", 16, new Sharing.Opportunistic()));
  }

  private static JobSpec job(String id, String family, int batch, Sharing sharing) {
    return JobSpec.builder(id)
        .role("worker", 1, ResourceRequest.builder().gpus(1).gpuMemory(Memory.ofGib(6)).build())
        .workload(Workload.builder(family).batchSize(batch).build())
        .sharing(sharing)
        .build();
  }
}
