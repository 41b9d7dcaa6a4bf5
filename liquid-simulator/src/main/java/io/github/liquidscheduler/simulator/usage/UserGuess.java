package io.github.liquidscheduler.simulator.usage;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.util.Comparator;
import java.util.Random;

/** Guessing users: they request a multiple of the usage, capped by the cluster. */
record UserGuess(ClusterTopology topology, RequestError error, long seed) {

  /** Returns the job with its user's request for each task. */
  JobSpec fill(TraceJob job, JobSpec open, Usage usage) {
    Random random = new Random((31 * seed + job.id().hashCode()) * 0x9E3779B97F4A7C15L);
    boolean isMistaken = random.nextDouble() < error.underRequestFraction();
    double share = usage.gpuUtilization() * factor(isMistaken, random);
    double gpuMemory = usage.gpuMemory().bytes() * factor(isMistaken, random);
    double cpu = usage.cpu().millicores() * factor(isMistaken, random);
    double memory = usage.memory().bytes() * factor(isMistaken, random);
    ResourceRequest request =
        ResourceRequest.builder()
            .share(GpuShare.ofThousandths((int) Math.clamp(Math.ceil(share * 1000), 1, 1000)))
            .gpuMemory(deviceMemory(Memory.ofBytes((long) Math.ceil(gpuMemory))))
            .cpu(CpuCores.ofMillicores((long) Math.min(Math.ceil(cpu), mostCpu())))
            .memory(hostMemory(Memory.ofBytes((long) Math.ceil(memory))))
            .build();
    return open.toBuilder()
        .roles(open.roles().stream().map(role -> role.withRequest(request)).toList())
        .build();
  }

  /** Returns the device memory, or that of the largest device if it has less. */
  Memory deviceMemory(Memory asked) {
    Memory most =
        topology.nodes().stream()
            .flatMap(node -> node.gpus().stream())
            .map(Gpu::memory)
            .max(Comparator.naturalOrder())
            .orElse(asked);
    return most.compareTo(asked) < 0 ? most : asked;
  }

  /** Returns the host memory, or that of the largest node if it has less. */
  Memory hostMemory(Memory asked) {
    Memory most =
        topology.nodes().stream().map(Node::memory).max(Comparator.naturalOrder()).orElse(asked);
    return most.compareTo(asked) < 0 ? most : asked;
  }

  private double mostCpu() {
    return topology.nodes().stream().mapToDouble(node -> node.cpu().millicores()).max().orElse(0);
  }

  private double factor(boolean isMistaken, Random random) {
    double exponent = 2 * random.nextDouble() - 1;
    return isMistaken
        ? 1 / error.overRequest()
        : error.overRequest() * StrictMath.pow(error.spread(), exponent);
  }
}
