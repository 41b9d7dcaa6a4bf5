package io.github.liquidscheduler.examples;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** Places two all-reduce jobs so that they share no network link. */
public final class KeepTrafficShort {

  private KeepTrafficShort() {}

  /** Prints the decisions. */
  public static void main(String[] arguments) {
    decide(Instant.now()).forEach(System.out::println);
  }

  /** Returns the decisions about two gangs in two racks of two nodes. */
  static List<Decision> decide(Instant now) {
    // @start region="network"
    Scheduler scheduler =
        LiquidScheduler.builder(twoRacks())
            .policy(Policies.fifo())
            .placer(Placers.leastCost())
            .build();
    Communication sumOfGradients = Communication.allReduce(Memory.parse("1.3 GB"));
    JobSpec job =
        JobSpec.builder("train-7")
            .gpus(12)
            .communication(sumOfGradients)
            .topology(TopologyConstraint.preferred("rack"))
            .build();
    List<Decision> decisions = scheduler.on(new ClusterEvent.JobSubmitted(now, job));
    // @end
    JobSpec other = job("train-8", sumOfGradients);
    return Stream.concat(
            decisions.stream(), scheduler.on(new ClusterEvent.JobSubmitted(now, other)).stream())
        .toList();
  }

  private static JobSpec job(String id, Communication communication) {
    return JobSpec.builder(id).gpus(12).communication(communication).build();
  }

  private static ClusterTopology twoRacks() {
    ClusterTopology.Builder cluster = ClusterTopology.builder().levels("rack");
    for (String rack : List.of("rack-0", "rack-1")) {
      Link uplink = Link.of(Bandwidth.ofGigabitsPerSecond(100));
      cluster.domain(Domain.of("rack", rack).withUplink(uplink));
      for (String node : List.of("a", "b")) {
        cluster.node(
            Node.builder(rack + node)
                .domain(rack)
                .gpus(8, GpuModel.of("A100"), Memory.ofGib(40))
                .nic(Link.of(Bandwidth.ofGigabitsPerSecond(100)))
                .nvlink(Bandwidth.ofGigabytesPerSecond(300))
                .build());
      }
    }
    return cluster.build();
  }
}
