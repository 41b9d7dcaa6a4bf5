package io.github.liquidscheduler.placement.makeroom;

import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.placement.gang.TaskShape;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * What the nodes of a cluster have free, or would have if some jobs left them: tells how many tasks
 * of a role of an exclusive job cannot be placed, whatever the placer. Each role is counted as if
 * it were alone, and shares as if nothing were left over on any GPU, so it is a lower bound.
 */
public final class ClusterRoom {

  private final CapacityIndex index;
  private final int[] leftGpus;
  private final long[] leftCpu;
  private final long[] leftMemory;
  private final long[] tasks;
  private final int[] touched;
  private int size;
  private int left;

  /** Makes the room of a cluster that nobody has left yet. */
  public ClusterRoom(CapacityIndex index) {
    this.index = index;
    int nodes = index.topology().nodes().size();
    leftGpus = new int[nodes];
    leftCpu = new long[nodes];
    leftMemory = new long[nodes];
    tasks = new long[nodes];
    touched = new int[nodes];
  }

  /** Adds what a job holds that may leave. */
  public void add(NodeSet held) {
    held.addTo(leftGpus, leftCpu, leftMemory, 1);
    left++;
  }

  /** Takes away again what was added. */
  public void remove(NodeSet held) {
    held.addTo(leftGpus, leftCpu, leftMemory, -1);
    left--;
  }

  /** Returns how many of the tasks have no room at least, in the best domain that is allowed. */
  public int missing(JobSpec job, TaskShape task) {
    for (GpuPool pool : index.pools()) {
      if (task.gpus() == 0 || NodeHeadroom.isAllowed(pool, job, task)) {
        addFree(pool, task);
      }
    }
    if (left > 0) {
      addLeft(task);
    }
    long best = Math.max(mostOnOneNode(job, task), mostInOneDomain(job));
    for (int i = 0; i < size; i++) {
      tasks[touched[i]] = 0;
    }
    size = 0;
    return (int) Math.max(0, task.role().count() - best);
  }

  /** Counts the tasks that the GPUs of the nodes with enough CPU and memory are enough for. */
  private void addFree(GpuPool pool, TaskShape task) {
    long cpu = left > 0 ? 0 : task.cpu();
    long memory = left > 0 ? 0 : task.memory();
    for (int free = Math.min(1, task.gpus()); free <= pool.maxFree(); free++) {
      int slot = pool.next(free, 0, pool.size(), cpu, memory);
      while (slot >= 0) {
        add(pool.nodeOf(slot), task.gpus() == 0 ? task.role().count() : free * ofGpu(task));
        slot = pool.next(free, slot + 1, pool.size(), cpu, memory);
      }
    }
    for (int step = pool.shareStep(task.share()); step < pool.shareSteps(); step++) {
      int slot = pool.nextPartial(step, 0, pool.size(), cpu, memory);
      while (slot >= 0) {
        add(pool.nodeOf(slot), ofPartial(pool, pool.nodeOf(slot), task.share()));
        slot = pool.nextPartial(step, slot + 1, pool.size(), cpu, memory);
      }
    }
  }

  private void addLeft(TaskShape task) {
    for (int node = 0; node < leftGpus.length; node++) {
      if (leftGpus[node] > 0) {
        add(node, (long) leftGpus[node] * ofGpu(task));
      }
    }
  }

  private void add(int node, long more) {
    if (more > 0 && tasks[node] == 0) {
      touched[size++] = node;
    }
    tasks[node] += more;
  }

  private static int ofGpu(TaskShape task) {
    return 1000 / task.share();
  }

  private int ofPartial(GpuPool pool, int node, int share) {
    int found = 0;
    for (int gpu = 0; gpu < index.gpus(node); gpu++) {
      int free = index.freeShare(node, gpu);
      if (free < 1000 && index.isOf(pool, node, gpu) && !index.isLost(node, gpu)) {
        found += free / share;
      }
    }
    return found;
  }

  /** Limits each node's tasks by all that they ask for, and returns the most. */
  private long mostOnOneNode(JobSpec job, TaskShape task) {
    @Nullable BitSet allowed = index.nodesAllowedTo(job);
    long most = 0;
    for (int i = 0; i < size; i++) {
      int node = touched[i];
      boolean isAllowed =
          index.health(node) == NodeHealth.UP && (allowed == null || allowed.get(node));
      tasks[node] = isAllowed ? limited(node, task) : 0;
      most = Math.max(most, tasks[node]);
    }
    return most;
  }

  private long limited(int node, TaskShape task) {
    int byHost =
        task.fitting(
            Integer.MAX_VALUE,
            index.freeCpu(node) + leftCpu[node],
            index.freeMemory(node) + leftMemory[node]);
    return Math.min(byHost, tasks[node] / Math.max(1, task.gpus()));
  }

  private long mostInOneDomain(JobSpec job) {
    int level = job.topology().required().flatMap(index.topology()::levelPosition).orElse(0);
    long most = 0;
    if (level == 0) {
      for (int i = 0; i < size; i++) {
        most += tasks[touched[i]];
      }
    } else if (level < index.topology().levels().size() - 1) {
      for (NodeRange range : index.nodesOf(level)) {
        most = Math.max(most, sum(range));
      }
    }
    return most;
  }

  private long sum(NodeRange range) {
    long sum = 0;
    for (int node = range.first(); node < range.end(); node++) {
      sum += tasks[node];
    }
    return sum;
  }
}
