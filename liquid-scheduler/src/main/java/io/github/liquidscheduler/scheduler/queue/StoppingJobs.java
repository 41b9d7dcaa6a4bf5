package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The capacity that pre-empted jobs hold until they have stopped, although it counts as free. */
public final class StoppingJobs {

  // Never iterated.
  private final Map<NodeId, Map<JobId, Placement>> byNode = new HashMap<>();

  void add(Placement held) {
    for (NodeId node : held.nodes()) {
      byNode.computeIfAbsent(node, each -> new LinkedHashMap<>()).put(held.job(), held);
    }
  }

  void remove(Placement held) {
    for (NodeId node : held.nodes()) {
      Map<JobId, Placement> there = byNode.getOrDefault(node, Collections.emptyMap());
      there.remove(held.job());
      if (there.isEmpty()) {
        byNode.remove(node);
      }
    }
  }

  /**
   * Returns the jobs that must leave before a placement can be used, by id: they hold one of its
   * GPUs, or CPU or host memory that it needs.
   *
   * @param placement the placement, already applied to the cluster
   * @param cluster the free capacity, with that of stopping jobs counted as free
   */
  public List<JobId> blocking(Placement placement, ClusterView cluster) {
    if (byNode.isEmpty()) {
      return List.of();
    }
    Set<JobId> blocking = new TreeSet<>();
    for (TaskPlacement task : placement.tasks()) {
      Map<JobId, Placement> there = byNode.getOrDefault(task.node(), Collections.emptyMap());
      boolean isFull = !there.isEmpty() && isHostFull(task.node(), there, cluster);
      there.forEach(
          (job, held) -> {
            if (isFull || holdsGpuOf(task, held)) {
              blocking.add(job);
            }
          });
    }
    return List.copyOf(blocking);
  }

  private static boolean holdsGpuOf(TaskPlacement task, Placement held) {
    return held.tasks().stream()
        .filter(other -> other.node().equals(task.node()))
        .anyMatch(other -> !Collections.disjoint(other.gpus(), task.gpus()));
  }

  private static boolean isHostFull(NodeId node, Map<JobId, Placement> there, ClusterView cluster) {
    long cpu = 0;
    long memory = 0;
    for (Placement held : there.values()) {
      for (TaskPlacement task : held.tasks()) {
        if (task.node().equals(node)) {
          ResourceRequest request = task.request();
          cpu += request.cpu().orElse(CpuCores.ZERO).millicores();
          memory += request.memory().orElse(Memory.ZERO).bytes();
        }
      }
    }
    return cluster.freeCpu(node).millicores() < cpu || cluster.freeMemory(node).bytes() < memory;
  }
}
