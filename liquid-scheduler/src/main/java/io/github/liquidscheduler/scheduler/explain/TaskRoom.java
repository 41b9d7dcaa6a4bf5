package io.github.liquidscheduler.scheduler.explain;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.placement.gang.GangShape;
import io.github.liquidscheduler.placement.gang.TaskShape;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How many tasks of each role every node would have room for if some running jobs had ended, and
 * every domain of the required level: an upper bound, since it looks at one role at a time. Where
 * it is too small the job cannot fit, which is far cheaper to find out than by placing it. Holds
 * for jobs that share with nobody.
 */
final class TaskRoom {

  private final CapacityIndex index;
  private final GangShape gang;
  private final int[] domainOf;
  private final long[][] tasks;
  private int domainsThatHold;
  // Never iterated.
  private final Map<Integer, NodeRoom> touched = new HashMap<>();

  /** Counts what is free now; O(nodes). */
  TaskRoom(CapacityIndex index, GangShape gang) {
    this.index = index;
    this.gang = gang;
    domainOf = domains(index, gang.topology().widestLevel());
    int domains = Arrays.stream(domainOf).max().orElse(0) + 1;
    tasks = new long[gang.tasks().size()][domains];
    for (int role = 0; role < tasks.length; role++) {
      int[] free = freeGpus(gang.tasks().get(role));
      for (int node = 0; node < domainOf.length; node++) {
        tasks[role][domainOf[node]] += fitting(role, node, free[node]);
      }
    }
    for (int domain = 0; domain < domains; domain++) {
      domainsThatHold += holds(domain) ? 1 : 0;
    }
  }

  /** Returns the domain of the level that each node is in; one more for those in none. */
  private static int[] domains(CapacityIndex index, int level) {
    ClusterTopology topology = index.topology();
    int[] domainOf = new int[topology.nodes().size()];
    if (level == topology.levels().size() - 1) {
      Arrays.setAll(domainOf, node -> node);
    } else {
      List<NodeRange> ranges = index.nodesOf(level);
      for (int domain = 0; domain < ranges.size(); domain++) {
        NodeRange range = ranges.get(domain);
        Arrays.fill(domainOf, range.first(), range.end(), domain + 1);
      }
    }
    return domainOf;
  }

  /** Returns whether the job may fit if those that were added, and not removed, have ended. */
  boolean mayHold() {
    return domainsThatHold > 0;
  }

  /** Has a job end. */
  void add(Placement placement) {
    change(placement, 1);
  }

  /** Has a job that was added run again. */
  void remove(Placement placement) {
    change(placement, -1);
  }

  /** Returns whether any task could go to a node where a job is that was added. */
  boolean isUsedBy(Placement placement) {
    for (TaskPlacement task : placement.tasks()) {
      NodeRoom room = roomOf(index.topology().position(task.node()));
      if (Arrays.stream(room.fitting).anyMatch(fits -> fits > 0)) {
        return true;
      }
    }
    return false;
  }

  private void change(Placement placement, int sign) {
    for (TaskPlacement task : placement.tasks()) {
      int node = index.topology().position(task.node());
      NodeRoom room = roomOf(node);
      room.change(task, sign);
      recount(node, room);
    }
  }

  private void recount(int node, NodeRoom room) {
    int domain = domainOf[node];
    domainsThatHold -= holds(domain) ? 1 : 0;
    for (int role = 0; role < tasks.length; role++) {
      int fits = fitting(role, node, room);
      tasks[role][domain] += fits - room.fitting[role];
      room.fitting[role] = fits;
    }
    domainsThatHold += holds(domain) ? 1 : 0;
  }

  private boolean holds(int domain) {
    for (int role = 0; role < tasks.length; role++) {
      if (tasks[role][domain] < gang.tasks().get(role).role().count()) {
        return false;
      }
    }
    return true;
  }

  private NodeRoom roomOf(int node) {
    return touched.computeIfAbsent(node, this::untouched);
  }

  private NodeRoom untouched(int node) {
    NodeRoom room = new NodeRoom(index, node, tasks.length);
    for (int role = 0; role < tasks.length; role++) {
      room.fitting[role] = fitting(role, node, room);
    }
    return room;
  }

  /** Returns the free GPUs of each node that whole GPUs of a task may be. */
  private int[] freeGpus(TaskShape task) {
    int[] free = new int[domainOf.length];
    for (GpuPool pool : index.pools()) {
      if (!task.isShare() && task.gpus() > 0 && gang.allows(task, pool)) {
        for (int slot = 0; slot < pool.size(); slot++) {
          free[pool.nodeOf(slot)] += Math.max(0, pool.free(slot));
        }
      }
    }
    return free;
  }

  private int fitting(int role, int node, int freeGpus) {
    TaskShape task = gang.tasks().get(role);
    return task.isShare()
        ? fitting(role, node, new NodeRoom(index, node, tasks.length))
        : fitting(task, node, freeGpus, index.freeCpu(node), index.freeMemory(node));
  }

  private int fitting(int role, int node, NodeRoom room) {
    TaskShape task = gang.tasks().get(role);
    if (!task.isShare()) {
      return fitting(task, node, room.count(task), room.cpu, room.memory);
    }
    int shares = room.count(task);
    return Math.min(shares, fitting(task, node, shares, room.cpu, room.memory));
  }

  private int fitting(TaskShape task, int node, int gpus, long cpu, long memory) {
    if (index.health(node) != NodeHealth.UP || !gang.allows(node)) {
      return 0;
    }
    return Math.max(0, Math.min(task.role().count(), task.fitting(gpus, cpu, memory)));
  }

  /** What a node would have free. */
  private final class NodeRoom {
    private final int node;
    private final int[] share;
    private final long[] gpuMemory;
    private final int[] fitting;
    private long cpu;
    private long memory;

    NodeRoom(CapacityIndex index, int node, int roles) {
      this.node = node;
      share = new int[index.gpus(node)];
      gpuMemory = new long[share.length];
      for (int gpu = 0; gpu < share.length; gpu++) {
        share[gpu] = index.freeShare(node, gpu);
        gpuMemory[gpu] = index.freeGpuMemory(node, gpu);
      }
      cpu = index.freeCpu(node);
      memory = index.freeMemory(node);
      fitting = new int[roles];
    }

    void change(TaskPlacement task, int sign) {
      cpu += sign * task.request().cpu().orElse(CpuCores.ZERO).millicores();
      memory += sign * task.request().memory().orElse(Memory.ZERO).bytes();
      long held = task.request().gpuMemory().orElse(Memory.ZERO).bytes();
      for (int gpu : task.gpus()) {
        share[gpu] += sign * task.share().thousandths();
        gpuMemory[gpu] += sign * held;
      }
    }

    /** Returns the whole GPUs, or shares of GPUs, that tasks may have. */
    int count(TaskShape task) {
      int count = 0;
      for (int gpu = 0; gpu < share.length; gpu++) {
        if (!index.isLost(node, gpu)
            && gang.allows(task, index.pools().get(index.poolOf(node, gpu)))) {
          count += task.isShare() ? shares(task, gpu) : share[gpu] / 1000;
        }
      }
      return count;
    }

    private int shares(TaskShape task, int gpu) {
      long memories = task.gpuMemory() == 0 ? Integer.MAX_VALUE : gpuMemory[gpu] / task.gpuMemory();
      return (int) Math.min(share[gpu] / task.share(), memories);
    }
  }
}
