package io.github.liquidscheduler.benchmarks;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.Demand;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.LiquidScheduler;
import io.github.liquidscheduler.placement.Policies;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Liquid's whole scheduler, an event for each task, on racks of 25 hosts. */
final class LiquidContender implements Contender {
  private static final int HOSTS_IN_RACK = 25;
  private static final GpuModel MODEL = GpuModel.of("V100");

  @Override
  public String name() {
    return "Liquid";
  }

  @Override
  public Session open(int hosts) {
    return new LiquidSession(topology(hosts));
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
              .build());
    }
    return builder.build();
  }

  private static final class LiquidSession implements Session {
    private final LiquidScheduler scheduler;
    private final Map<Task, String> running = new LinkedHashMap<>();

    LiquidSession(ClusterTopology topology) {
      scheduler = LiquidScheduler.builder(topology).policy(Policies.fifoWithSkipping()).build();
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

    private static JobSpec job(Task task) {
      Demand demand =
          Demand.builder()
              .gpus(task.gpus())
              .cpu(CpuCores.of(task.cores()))
              .memory(Memory.ofGib(task.memoryGib()))
              .build();
      return JobSpec.builder(task.id()).role("worker", 1, demand).build();
    }
  }
}
