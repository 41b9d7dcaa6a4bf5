package io.github.liquidscheduler.examples;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Stops a job for a more important one, and gives it time to save a checkpoint. */
public final class PreemptWithGrace {

  private PreemptWithGrace() {}

  /** Prints the decisions. */
  public static void main(String[] arguments) {
    decide(Instant.now()).forEach(System.out::println);
  }

  /** Returns the decisions about a job of low priority, and of an important one an hour later. */
  static List<Decision> decide(Instant now) {
    Node node = Node.builder("node-0").gpus(8, GpuModel.of("A100"), Memory.ofGib(40)).build();
    // @start region="grace"
    Scheduler scheduler =
        LiquidScheduler.builder(ClusterTopology.builder().node(node).build())
            .policy(Policies.priority())
            .preemption(
                PreemptionRules.NONE
                    .gracePeriod(Duration.ofMinutes(5))
                    .minRunTime(Duration.ofMinutes(30))
                    .mostPreemptions(3))
            .build();
    JobSpec nightly = JobSpec.builder("nightly").gpus(8).priority(0).build();
    JobSpec urgent = JobSpec.builder("urgent").gpus(4).priority(10).build();
    // @end
    Instant later = now.plus(Duration.ofHours(1));
    List<Decision> decisions =
        new ArrayList<>(scheduler.on(new ClusterEvent.JobSubmitted(now, nightly)));
    List<Decision> preemption = scheduler.on(new ClusterEvent.JobSubmitted(later, urgent));
    decisions.addAll(preemption);
    for (Decision decision : preemption) {
      // @start region="stopped"
      if (decision instanceof Decision.Preempt preempt) {
        // Ask its processes to save a checkpoint, kill them at preempt.until(), then report:
        scheduler.on(new ClusterEvent.JobStopped(later.plusSeconds(40), preempt.job()));
      }
      // @end
    }
    return decisions;
  }
}
