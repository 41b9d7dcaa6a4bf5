package io.github.liquidscheduler.testkit;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The capacity that the placements of all that runs leave over, added up each time. */
record PlainHoldings(ClusterTopology topology, Collection<Placement> running) {
  private static final int WHOLE = 1000;

  /** Returns the over-commitments on the node. */
  Stream<String> overCommitments(Node node) {
    List<String> found = new ArrayList<>();
    require(found, "CPU of " + node.id(), cpuLeft(node.id()));
    require(found, "memory of " + node.id(), memoryLeft(node.id()));
    for (GpuId gpu : gpus(node)) {
      require(found, "compute of " + gpu, shareLeft(gpu));
      require(found, "memory of " + gpu, gpuMemoryLeft(gpu));
    }
    return found.stream();
  }

  private static void require(List<String> found, String what, long left) {
    if (left < 0) {
      found.add("%s is over-committed by %d".formatted(what, -left));
    }
  }

  long cpuLeft(NodeId node) {
    return topology.node(node).cpu().millicores()
        - held(node, task -> task.request().cpu().orElse(CpuCores.ZERO).millicores());
  }

  long memoryLeft(NodeId node) {
    return topology.node(node).memory().bytes()
        - held(node, task -> task.request().memory().orElse(Memory.ZERO).bytes());
  }

  private long held(NodeId node, ToLongFunction<TaskPlacement> amount) {
    return tasks().filter(task -> task.node().equals(node)).mapToLong(amount).sum();
  }

  long shareLeft(GpuId gpu) {
    return WHOLE - holders(gpu).mapToLong(task -> task.share().thousandths()).sum();
  }

  long gpuMemoryLeft(GpuId gpu) {
    return topology.gpu(gpu).memory().bytes()
        - holders(gpu)
            .mapToLong(task -> task.request().gpuMemory().orElse(Memory.ZERO).bytes())
            .sum();
  }

  Stream<TaskPlacement> holders(GpuId gpu) {
    return tasks().filter(task -> holds(task, gpu));
  }

  static boolean holds(TaskPlacement task, GpuId gpu) {
    return task.node().equals(gpu.node()) && task.gpus().contains(gpu.index());
  }

  private Stream<TaskPlacement> tasks() {
    return running.stream().flatMap(placement -> placement.tasks().stream());
  }

  static List<GpuId> gpus(Node node) {
    return IntStream.range(0, node.gpus().size()).mapToObj(i -> new GpuId(node.id(), i)).toList();
  }
}
