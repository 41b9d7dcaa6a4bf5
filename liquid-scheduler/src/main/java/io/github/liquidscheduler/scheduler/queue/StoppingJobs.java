package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.capacity.ClusterState;
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
  private final Set<JobId> all = new TreeSet<>();

  void add(Placement held) {
    all.add(held.job());
    for (NodeId node : held.nodes()) {
      byNode.computeIfAbsent(node, each -> new LinkedHashMap<>()).put(held.job(), held);
    }
  }

  void remove(Placement held) {
    all.remove(held.job());
    for (NodeId node : held.nodes()) {
      Map<JobId, Placement> there = byNode.getOrDefault(node, Collections.emptyMap());
      there.remove(held.job());
      if (there.isEmpty()) {
        byNode.remove(node);
      }
    }
  }

  /** Returns the jobs that are leaving any node, by id. */
  Set<JobId> all() {
    return Collections.unmodifiableSet(all);
  }

  /** Returns the jobs that are leaving a node, by id. */
  public List<JobId> on(NodeId node) {
    return byNode.getOrDefault(node, Collections.emptyMap()).keySet().stream().sorted().toList();
  }

  /**
   * Returns the other jobs that must leave before a placement can be used, by id: they hold one of
   * its GPUs, or CPU or host memory that it needs.
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
      if (!there.isEmpty()) {
        Host lacks = Host.lacking(task, there, placement.job(), cluster);
        there.forEach(
            (job, held) -> {
              if (!job.equals(placement.job())
                  && (holdsGpuOf(task, held) || Host.of(held, task.node()).holdsAnyOf(lacks))) {
                blocking.add(job);
              }
            });
      }
    }
    return List.copyOf(blocking);
  }

  /**
   * Returns true if nobody else has to leave before a placement can be used, so that a running job
   * may move there at once.
   *
   * @param placement the placement, free in the cluster: the job has left its own
   */
  public boolean leaveFree(Placement placement, ClusterState cluster) {
    if (byNode.isEmpty()) {
      return true;
    }
    cluster.takeBack(placement);
    boolean isFree = blocking(placement, cluster).isEmpty();
    cluster.giveUp(placement);
    return isFree;
  }

  private static boolean holdsGpuOf(TaskPlacement task, Placement held) {
    return held.tasks().stream()
        .filter(other -> other.node().equals(task.node()))
        .anyMatch(other -> !Collections.disjoint(other.gpus(), task.gpus()));
  }

  /** Millicores of CPU and bytes of host memory on a node. */
  private record Host(long cpu, long memory) {

    /** Returns what a placement holds on a node. */
    static Host of(Placement held, NodeId node) {
      long cpu = 0;
      long memory = 0;
      for (TaskPlacement task : held.tasks()) {
        if (task.node().equals(node)) {
          cpu += of(task).cpu;
          memory += of(task).memory;
        }
      }
      return new Host(cpu, memory);
    }

    private static Host of(TaskPlacement task) {
      return new Host(
          task.request().cpu().orElse(CpuCores.ZERO).millicores(),
          task.request().memory().orElse(Memory.ZERO).bytes());
    }

    /**
     * Returns how much of what a task takes is missing while the others on its node hold theirs; 0
     * of what it does not request.
     */
    static Host lacking(
        TaskPlacement task, Map<JobId, Placement> there, JobId itself, ClusterView cluster) {
      long cpu = -cluster.freeCpu(task.node()).millicores();
      long memory = -cluster.freeMemory(task.node()).bytes();
      for (Map.Entry<JobId, Placement> other : there.entrySet()) {
        if (!other.getKey().equals(itself)) {
          cpu += of(other.getValue(), task.node()).cpu;
          memory += of(other.getValue(), task.node()).memory;
        }
      }
      Host taken = of(task);
      return new Host(Math.min(cpu, taken.cpu), Math.min(memory, taken.memory));
    }

    boolean holdsAnyOf(Host lacking) {
      return (lacking.cpu > 0 && cpu > 0) || (lacking.memory > 0 && memory > 0);
    }
  }
}
