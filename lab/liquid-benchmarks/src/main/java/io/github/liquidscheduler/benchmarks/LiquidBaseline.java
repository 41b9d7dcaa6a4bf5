package io.github.liquidscheduler.benchmarks;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Link;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Placer;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Liquid's whole scheduler, an event for each task, on racks of 25 hosts. */
record LiquidBaseline(boolean usesNetwork) implements Baseline {
  private static final int HOSTS_IN_RACK = 25;
  private static final GpuModel MODEL = GpuModel.of("V100");
  private static final long BYTES = 400_000_000;
  private static final String TALKS = "talks";

  /** Places by best fit on a silent network. */
  static LiquidBaseline bestFit() {
    return new LiquidBaseline(false);
  }

  /**
   * Places where traffic costs least: the GPUs of each task sum 400 MB in each iteration, and half
   * of the hosts send to each other already.
   */
  static LiquidBaseline leastCost() {
    return new LiquidBaseline(true);
  }

  @Override
  public String name() {
    return usesNetwork ? "Liquid, half loaded links" : "Liquid";
  }

  @Override
  public Session open(int hosts) {
    Placer placer = usesNetwork ? Placers.leastCost() : Placers.bestFit();
    LiquidScheduler scheduler =
        LiquidScheduler.builder(topology(hosts))
            .policy(Policies.bestEffortFifo())
            .placer(placer)
            .build();
    for (int host = 0; usesNetwork && host + 1 < hosts; host += 4) {
      scheduler.on(new ClusterEvent.JobSubmitted(Instant.EPOCH, talk(host)));
    }
    return new LiquidSession(scheduler, usesNetwork);
  }

  /** Returns a server and a worker without GPUs that keep the links of two hosts busy. */
  private static JobSpec talk(int host) {
    return JobSpec.builder("talk-" + host)
        .role("server", 1, ResourceRequest.builder().build())
        .role("worker", 1, ResourceRequest.builder().build())
        .nodeLabel(TALKS, Integer.toString(host))
        .topology(TopologyConstraint.NONE.andSpread(1, ClusterTopology.NODE))
        .communication(new Communication.ParameterServer("server", "worker", BYTES))
        .build();
  }

  private static ClusterTopology topology(int hosts) {
    ClusterTopology.Builder builder = ClusterTopology.builder().levels("rack");
    for (int host = 0; host < hosts; host++) {
      String rack = "rack-" + host / HOSTS_IN_RACK;
      if (host % HOSTS_IN_RACK == 0) {
        builder.domain(Domain.of("rack", rack));
      }
      builder.node(
          Node.builder(Host.name(host))
              .domain(rack)
              .gpus(Host.GPUS, MODEL, Memory.ofGib(32))
              .cpu(CpuCores.of(Host.CORES))
              .memory(Memory.ofGib(Host.MEMORY_GIB))
              .nic(Link.of(Bandwidth.ofGigabitsPerSecond(100)))
              .nvlink(Bandwidth.ofGigabytesPerSecond(200))
              .label(TALKS, Integer.toString(host % 4 < 2 ? host - host % 4 : -1))
              .build());
    }
    return builder.build();
  }

  private static final class LiquidSession implements Session {
    private final LiquidScheduler scheduler;
    private final boolean usesNetwork;
    private final Map<Task, String> running = new LinkedHashMap<>();

    LiquidSession(LiquidScheduler scheduler, boolean usesNetwork) {
      this.scheduler = scheduler;
      this.usesNetwork = usesNetwork;
    }

    @Override
    public void place(List<Task> tasks) {
      for (Task task : tasks) {
        for (Decision decision :
            scheduler.on(new ClusterEvent.JobSubmitted(Instant.EPOCH, job(task)))) {
          if (decision instanceof Decision.Start start) {
            running.put(task, start.placement().tasks().getFirst().node().value());
          }
        }
      }
    }

    @Override
    public void finish(Task task) {
      scheduler.on(new ClusterEvent.JobFinished(Instant.EPOCH, JobId.of(task.id())));
      running.remove(task);
    }

    @Override
    public Map<Task, String> running() {
      return Collections.unmodifiableMap(running);
    }

    @Override
    public void close() {
      // Nothing runs but on call.
    }

    private JobSpec job(Task task) {
      ResourceRequest request =
          ResourceRequest.builder()
              .gpus(task.gpus())
              .cpu(CpuCores.of(task.cores()))
              .memory(Memory.ofGib(task.memoryGib()))
              .build();
      JobSpec.Builder job = JobSpec.builder(task.id()).role("worker", 1, request);
      return usesNetwork
          ? job.communication(new Communication.AllReduce(BYTES)).build()
          : job.build();
    }
  }
}
