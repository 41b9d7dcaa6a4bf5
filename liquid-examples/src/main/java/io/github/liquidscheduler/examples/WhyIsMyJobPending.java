package io.github.liquidscheduler.examples;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Duration;
import java.time.Instant;

/** Asks a scheduler why a job waits, and what would let it run. */
public final class WhyIsMyJobPending {

  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private WhyIsMyJobPending() {}

  /** Prints the answer. */
  public static void main(String[] arguments) {
    System.out.println(explain().describe());
  }

  /** Returns why a job of 20 GPUs that must stay in one rack waits beside a job of 10. */
  static Explanation explain() {
    Scheduler scheduler =
        LiquidScheduler.builder(twoRacks()).policy(Policies.bestEffortFifo()).build();
    JobSpec first =
        JobSpec.builder("nightly")
            .gpus(10)
            .expectedWork(ExpectedWork.ofDuration(Duration.ofMinutes(125)))
            .build();
    // @start region="why"
    JobSpec second =
        JobSpec.builder("train-7").gpus(20).topology(TopologyConstraint.required("rack")).build();
    scheduler.on(new ClusterEvent.JobSubmitted(NOON, first));
    scheduler.on(new ClusterEvent.JobSubmitted(NOON, second));
    Explanation why = scheduler.explain(second.id());
    // @end
    return why;
  }

  private static ClusterTopology twoRacks() {
    ClusterTopology.Builder cluster = ClusterTopology.builder().levels("rack");
    for (String rack : new String[] {"r0", "r1"}) {
      cluster.domain(Domain.of("rack", rack));
      int nodes = rack.equals("r0") ? 3 : 1;
      for (int node = 0; node < nodes; node++) {
        cluster.node(
            Node.builder(rack + "-n" + node)
                .domain(rack)
                .gpus(8, GpuModel.of("A100"), Memory.ofGib(40))
                .build());
      }
    }
    return cluster.build();
  }
}
