package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.Playback;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Nodes whose labels, capacity or domain change, whoever runs there. */
final class ChangeStep {

  private ChangeStep() {}

  /** Returns what changes instead of a step; empty in most cases. */
  static Optional<ClusterEvent> of(
      AnyWorld world, int number, ClusterStep step, LiquidScheduler scheduler, Playback playback) {
    if (!world.has(Feature.CHANGE) || number % 11 != 5) {
      return Optional.empty();
    }
    Instant now = playback.now().plusSeconds(step.seconds());
    playback.goTo(now);
    ClusterTopology cluster = scheduler.view().topology();
    Node node = cluster.nodes().get(step.pick() % cluster.nodes().size());
    Node changed = changed(node, step.pick() / 7, gpusHeld(node.id(), scheduler), cluster);
    return Optional.of(new ClusterEvent.NodeChanged(now, changed));
  }

  private static Node changed(Node node, int how, int gpusHeld, ClusterTopology cluster) {
    return switch (how % 6) {
      case 0 -> node.toBuilder().label("zone", "z" + how % 5).build();
      case 1 -> node.toBuilder().cpu(CpuCores.of(how % 16)).build();
      case 2 -> node.toBuilder().memory(Memory.ofGib(how % 40)).build();
      case 3 -> withGpu(node, cluster);
      case 4 -> withGpus(node, node.gpus().subList(0, gpusHeld));
      default -> elsewhere(node, how / 6, cluster);
    };
  }

  private static Node withGpu(Node node, ClusterTopology cluster) {
    Node.Builder more = node.toBuilder();
    cluster.nodes().stream()
        .flatMap(other -> other.gpus().stream())
        .findFirst()
        .ifPresent(more::gpu);
    return more.build();
  }

  private static Node elsewhere(Node node, int pick, ClusterTopology cluster) {
    List<Domain> domains = cluster.domains();
    return domains.isEmpty()
        ? node.toBuilder().cpu(new CpuCores(Long.MAX_VALUE)).build()
        : node.toBuilder().domain(domains.get(pick % domains.size()).id().value()).build();
  }

  private static Node withGpus(Node node, List<Gpu> gpus) {
    Node.Builder other =
        Node.builder(node.id().value())
            .cpu(node.cpu())
            .memory(node.memory())
            .nic(node.nic())
            .nvlink(node.nvlink())
            .disk(node.disk());
    gpus.forEach(other::gpu);
    node.datasets().forEach(other::dataset);
    node.labels().forEach(other::label);
    node.domain().ifPresent(domain -> other.domain(domain.value()));
    return other.build();
  }

  /** Returns how many GPUs have to stay: those up to the last one that a task has. */
  private static int gpusHeld(NodeId node, LiquidScheduler scheduler) {
    return Stream.concat(
            scheduler.state().jobs().running().inOrder().stream(),
            scheduler.state().jobs().allWaiting().stream())
        .flatMap(ChangeStep::gpus)
        .filter(gpu -> gpu.node().equals(node))
        .mapToInt(gpu -> gpu.index() + 1)
        .max()
        .orElse(0);
  }

  private static Stream<GpuId> gpus(JobEntry job) {
    return job.isStarting()
        ? Stream.of()
        : Stream.of(job.phase().held(), job.phase().heldThen(), job.placement())
            .flatMap(Optional::stream)
            .flatMap(placement -> placement.gpuIds());
  }
}
