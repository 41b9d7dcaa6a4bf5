package io.github.liquidscheduler.examples;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.ResizeStep;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Changes the size of a job while it runs: larger on idle GPUs, smaller when another waits. */
public final class GrowAndShrink {

  private GrowAndShrink() {}

  /** Prints the decisions. */
  public static void main(String[] arguments) {
    decide(Instant.now()).forEach(System.out::println);
  }

  /** Returns the decisions about a job that prefers 4 of 8 GPUs, and of one that needs 4 later. */
  static List<Decision> decide(Instant now) {
    // @start region="elasticity"
    Scheduler scheduler =
        LiquidScheduler.builder(oneNode())
            .policy(Policies.leastAttainedService())
            .elasticity(
                Elasticity.by(SizingPolicy.elasticTiresias())
                    .coolDown(Duration.ofMinutes(1))
                    .cost(ResizeCost.STOP_FREE)
                    .build())
            .build();
    // @end
    JobSpec elastic =
        JobSpec.builder("train-7").gpus(4).parallelism(Parallelism.between(2, 4, 8)).build();
    JobSpec late = JobSpec.builder("train-8").gpus(4).build();
    Instant oneMinuteLater = now.plusSeconds(60);

    List<Decision> decisions =
        new ArrayList<>(scheduler.on(new ClusterEvent.JobSubmitted(now, elastic)));
    List<Decision> larger = scheduler.on(new ClusterEvent.TimePassed(oneMinuteLater));
    decisions.addAll(larger);
    larger.forEach(decision -> carryOut(scheduler, decision, oneMinuteLater));
    decisions.addAll(
        scheduler.on(new ClusterEvent.JobSubmitted(oneMinuteLater.plusSeconds(600), late)));
    return decisions;
  }

  // @start region="report"
  private static void carryOut(Scheduler scheduler, Decision decision, Instant now) {
    if (decision instanceof Decision.Resize resize) {
      // Prepare the new workers, and say so; from then on the job does not go back.
      scheduler.on(report(resize, now.plusSeconds(20), ResizeStep.READY, Optional.empty()));
      // Let the workers switch at an agreed mini-batch, and say for how long they stood still.
      Optional<Duration> paused = Optional.of(Duration.ofSeconds(2));
      scheduler.on(report(resize, now.plusSeconds(25), ResizeStep.SWITCHED, paused));
    }
  }

  // @end

  private static ClusterEvent report(
      Decision.Resize resize, Instant at, ResizeStep step, Optional<Duration> paused) {
    return new ClusterEvent.ResizeReported(at, resize.job(), resize.number(), step, paused);
  }

  private static ClusterTopology oneNode() {
    Node node = Node.builder("node-0").gpus(8, GpuModel.of("A100"), Memory.ofGib(40)).build();
    return ClusterTopology.builder().node(node).build();
  }
}
