package io.github.liquidscheduler.examples;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Instant;
import java.util.List;

/** Shares a cluster between two teams: one lends what it does not need, and gets it back. */
public final class ShareByQueues {

  private ShareByQueues() {}

  /** Prints the decisions. */
  public static void main(String[] arguments) {
    decide(Instant.now()).forEach(System.out::println);
  }

  /** Returns the decisions about a job of a team whose GPUs another has borrowed. */
  static List<Decision> decide(Instant now) {
    Scheduler scheduler =
        LiquidScheduler.builder(oneNode()).policy(Policies.bestEffortFifo()).build();
    // @start region="queues"
    QueueTree queues =
        QueueTree.of(
            QueueSpec.named("lab"),
            QueueSpec.named("vision").in("lab").withGpus(4),
            QueueSpec.named("speech").in("lab").withGpus(4),
            QueueSpec.named("guests")
                .with(QuotaResource.GPUS, QueueQuota.guaranteed(0).withLimit(2)));
    scheduler.on(new ClusterEvent.QueuesChanged(now, queues));
    // @end
    for (int job = 0; job < 8; job++) {
      JobSpec borrower = JobSpec.builder("vision-" + job).queue("vision").gpus(1).build();
      scheduler.on(new ClusterEvent.JobSubmitted(now, borrower));
    }
    JobSpec owner = JobSpec.builder("speech-0").queue("speech").gpus(2).build();
    return scheduler.on(new ClusterEvent.JobSubmitted(now.plusSeconds(60), owner));
  }

  private static ClusterTopology oneNode() {
    Node node = Node.builder("node-0").gpus(8, GpuModel.of("A100"), Memory.ofGib(40)).build();
    return ClusterTopology.builder().node(node).build();
  }
}
