package io.github.liquidscheduler.examples;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.resource.Bandwidth;
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

/** Places gangs within one NVLink domain if they must, and within one rack if they can. */
public final class KeepAGangTogether {

  private KeepAGangTogether() {}

  /** Prints the decisions. */
  public static void main(String[] arguments) {
    decide(Instant.now()).forEach(System.out::println);
  }

  /** Returns the decisions about three gangs in two racks of two NVLink domains of two nodes. */
  static List<Decision> decide(Instant now) {
    Scheduler scheduler =
        LiquidScheduler.builder(cluster()).policy(Policies.bestEffortFifo()).build();
    // @start region="together"
    JobSpec tensorParallel =
        JobSpec.builder("pretrain").gpus(8).topology(TopologyConstraint.required("nvlink")).build();
    JobSpec dataParallel =
        JobSpec.builder("finetune").gpus(12).topology(TopologyConstraint.preferred("rack")).build();
    JobSpec tooLarge =
        JobSpec.builder("huge").gpus(12).topology(TopologyConstraint.required("nvlink")).build();
    // @end
    List<Decision> decisions = new ArrayList<>();
    for (JobSpec job : List.of(tensorParallel, dataParallel, tooLarge)) {
      decisions.addAll(scheduler.on(new ClusterEvent.JobSubmitted(now, job)));
    }
    return decisions;
  }

  private static ClusterTopology cluster() {
    // @start region="domains"
    ClusterTopology.Builder cluster = ClusterTopology.builder().levels("rack", "nvlink");
    for (String rack : List.of("r0", "r1")) {
      cluster.domain(Domain.of("rack", rack));
      for (String domain : List.of(rack + "-a", rack + "-b")) {
        Bandwidth fabric = Bandwidth.ofGigabytesPerSecond(450);
        cluster.domain(Domain.of("nvlink", domain).in(rack).withFabric(fabric));
        for (int node = 0; node < 2; node++) {
          cluster.node(
              Node.builder(domain + "-n" + node)
                  .domain(domain)
                  .gpus(4, GpuModel.of("GB200"), Memory.ofGib(186))
                  .build());
        }
      }
    }
    // @end
    return cluster.build();
  }
}
