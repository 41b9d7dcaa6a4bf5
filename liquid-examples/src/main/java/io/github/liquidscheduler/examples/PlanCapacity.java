package io.github.liquidscheduler.examples;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Asks when a waiting job would start with two nodes more, and with one less. */
public final class PlanCapacity {

  private static final JobId LARGE = JobId.of("large");

  private PlanCapacity() {}

  /** Prints when the job would start. */
  public static void main(String[] arguments) {
    starts(Instant.now()).forEach((what, start) -> System.out.println(what + ": " + start));
  }

  /** Returns the start of a job of 16 GPUs on nodes of which one is busy. */
  static Map<String, Optional<Instant>> starts(Instant now) {
    Scheduler scheduler =
        LiquidScheduler.builder(ClusterTopology.builder().node(node(0)).node(node(1)).build())
            .policy(Policies.fifo())
            .build();
    submit(scheduler, now, "busy", 6, Duration.ofHours(5));
    submit(scheduler, now, LARGE.value(), 16, Duration.ofHours(2));
    Map<String, Optional<Instant>> starts = new LinkedHashMap<>();
    // @start region="whatif"
    List<ClusterEvent> twoMore =
        List.of(
            new ClusterEvent.NodeAdded(now, node(2), List.of()),
            new ClusterEvent.NodeAdded(now, node(3), List.of()));
    List<ClusterEvent> oneLess =
        List.of(new ClusterEvent.NodeDraining(now, NodeId.of("node-0"), Optional.empty()));
    starts.put("as it is", scheduler.whatIf(List.of(), 100).firstStart(LARGE));
    starts.put("two nodes more", scheduler.whatIf(twoMore, 100).firstStart(LARGE));
    starts.put("node-0 drained", scheduler.whatIf(oneLess, 100).firstStart(LARGE));
    // @end
    return starts;
  }

  private static void submit(Scheduler scheduler, Instant now, String id, int gpus, Duration time) {
    ExpectedWork work = ExpectedWork.ofDuration(time);
    JobSpec job = JobSpec.builder(id).gpus(gpus).expectedWork(work).build();
    scheduler.on(new ClusterEvent.JobSubmitted(now, job));
  }

  private static Node node(int number) {
    return Node.builder("node-" + number).gpus(8, GpuModel.of("A100"), Memory.ofGib(40)).build();
  }
}
