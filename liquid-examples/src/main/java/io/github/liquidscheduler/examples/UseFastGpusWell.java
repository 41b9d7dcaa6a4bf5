package io.github.liquidscheduler.examples;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.performance.GpuSpeedTable;
import io.github.liquidscheduler.scheduler.performance.Performance;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Runs each job on the GPU model on which that matters most. */
public final class UseFastGpusWell {

  private UseFastGpusWell() {}

  /** Prints the decisions and why they were taken. */
  public static void main(String[] arguments) {
    decide(Instant.now())
        .forEach(decision -> System.out.println(decision + ": " + decision.why().describe()));
  }

  /** Returns the decisions about two jobs, of which the second gains more by the fast GPU. */
  static List<Decision> decide(Instant now) {
    GpuModel v100 = GpuModel.of("V100");
    GpuModel k80 = GpuModel.of("K80");
    // @start region="speeds"
    GpuSpeedTable speeds =
        GpuSpeedTable.builder()
            .speed("Transformer", v100, 10)
            .speed("Transformer", k80, 1)
            .speed("A3C", v100, 2)
            .speed("A3C", k80, 1)
            .build();
    Scheduler scheduler =
        LiquidScheduler.builder(twoModels())
            .policy(Policies.fifo())
            .performance(Performance.by(speeds).moving(Duration.ofMinutes(1)))
            .build();
    // @end
    List<Decision> decisions = new ArrayList<>();
    decisions.addAll(scheduler.on(new ClusterEvent.JobSubmitted(now, job("a3c", "A3C"))));
    JobSpec second = job("transformer", "Transformer");
    decisions.addAll(scheduler.on(new ClusterEvent.JobSubmitted(now, second)));
    Instant later = now.plus(Duration.ofMinutes(10));
    decisions.addAll(scheduler.on(new ClusterEvent.TimePassed(later)));
    return decisions;
  }

  private static JobSpec job(String id, String family) {
    return JobSpec.builder(id)
        .gpus(1)
        .workload(Workload.builder(family).build())
        .expectedWork(ExpectedWork.ofDuration(Duration.ofHours(12)))
        .build();
  }

  private static ClusterTopology twoModels() {
    return ClusterTopology.builder()
        .node(Node.builder("fast").gpus(1, GpuModel.of("V100"), Memory.ofGib(16)).build())
        .node(Node.builder("slow").gpus(1, GpuModel.of("K80"), Memory.ofGib(12)).build())
        .build();
  }
}
