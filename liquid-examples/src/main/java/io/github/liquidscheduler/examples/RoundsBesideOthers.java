package io.github.liquidscheduler.examples;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Synchronization;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.rounds.RoundDecision;
import io.github.liquidscheduler.rounds.RoundEvent;
import io.github.liquidscheduler.rounds.scheduler.PooledScheduler;
import io.github.liquidscheduler.rounds.scheduler.PooledScheduler.Step;
import io.github.liquidscheduler.rounds.scheduler.RoundPolicy;
import io.github.liquidscheduler.rounds.scheduler.RoundScheduler;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A job of rounds of three tasks, and an ordinary job, on a node of two GPUs. */
public final class RoundsBesideOthers {

  private RoundsBesideOthers() {}

  /** Prints what is done. */
  public static void main(String[] arguments) {
    decide(Instant.now()).forEach(System.out::println);
  }

  /** Returns what is done until the job of rounds has ended. */
  static List<Step> decide(Instant now) {
    Node node = Node.builder("n0").gpus(2, GpuModel.of("V100"), Memory.ofGib(16)).build();
    ClusterTopology cluster = ClusterTopology.builder().node(node).build();
    // @start region="pooled"
    PooledScheduler scheduler =
        PooledScheduler.around(
            LiquidScheduler.builder(cluster).policy(Policies.fifo()).build(),
            RoundScheduler.builder(RoundPolicy.scaleFreeHlas()),
            Duration.ofSeconds(30));
    JobSpec ordinary = JobSpec.builder("serve").gpus(1).build();
    JobSpec ofRounds =
        JobSpec.builder("train-7")
            .gpus(3)
            .synchronization(new Synchronization.RelaxedRounds(3, 1))
            .build();
    List<Step> steps = new ArrayList<>(scheduler.on(new ClusterEvent.JobSubmitted(now, ordinary)));
    steps.addAll(scheduler.on(new ClusterEvent.JobSubmitted(now, ofRounds)));
    // @end
    for (int step = 0; step < steps.size(); step++) {
      if (steps.get(step) instanceof Step.Task task
          && task.decision() instanceof RoundDecision.RunTask start) {
        steps.addAll(scheduler.on(List.of(new RoundEvent.TaskSynchronized(now, start.run()))));
      }
    }
    return steps;
  }
}
