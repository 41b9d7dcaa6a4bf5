package io.github.liquidscheduler.placement.eviction;

import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.placement.gang.TaskShape;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/*
 * Idea: sums per node instead of a search: whole GPUs, the freest GPU, CPU and memory, free and
 * left by victims, with a list of numbered growths to subtract when only what is new counts.
 * Invariants: every count is an upper bound of what any placer could put there; victims added with
 * sign -1 restore the sums exactly.
 * Cost: O(GPUs of the node) to read, O(1) for a victim without shares and for amounts; counting
 * tasks is O(1) for whole GPUs of a node of one pool, else O(GPUs), plus one step for each growth.
 */
/**
 * The free capacity of a node, plus the amounts that victims would release, and the growth of both
 * by number. An upper bound where jobs hold shares of GPUs.
 */
final class GrownNode {

  private static final int WHOLE = GpuPool.WHOLE;

  private final CapacityIndex index;
  private final int node;
  private final boolean isMixed;
  private int wholeGpus;
  private int freest;
  private long cpu;
  private long memory;
  private int leftGpus;
  private int leftShared;
  private final int[] leftShareOfGpu;
  private long leftCpu;
  private long leftMemory;
  private @Nullable Step newest;

  /** A growth of the node, linked to the one before. */
  private record Step(long number, Growth growth, int at, @Nullable Step before) {}

  /** Makes the node at a position, without victims. */
  GrownNode(CapacityIndex index, int node) {
    this.index = index;
    this.node = node;
    isMixed = isMixed(index, node);
    leftShareOfGpu = new int[index.gpus(node)];
    readFree();
  }

  /** Makes the same node, without victims. */
  GrownNode(GrownNode other) {
    index = other.index;
    node = other.node;
    isMixed = other.isMixed;
    leftShareOfGpu = new int[other.leftShareOfGpu.length];
    wholeGpus = other.wholeGpus;
    freest = other.freest;
    cpu = other.cpu;
    memory = other.memory;
    newest = other.newest;
  }

  private static boolean isMixed(CapacityIndex index, int node) {
    for (int gpu = 1; gpu < index.gpus(node); gpu++) {
      if (index.poolOf(node, gpu) != index.poolOf(node, 0)) {
        return true;
      }
    }
    return false;
  }

  int node() {
    return node;
  }

  /** Reads the free capacity again. */
  void readFree() {
    wholeGpus = 0;
    freest = 0;
    boolean mayBeFree = index.hasFreeGpu(node) || index.health(node) != NodeHealth.UP;
    for (int gpu = 0; mayBeFree && gpu < index.gpus(node); gpu++) {
      int free = index.freeShare(node, gpu);
      if (!index.isLost(node, gpu)) {
        wholeGpus += free == WHOLE ? 1 : 0;
        freest = Math.max(freest, free);
      }
    }
    cpu = index.freeCpu(node);
    memory = index.freeMemory(node);
  }

  /** Notes a growth, later than all before; the node is at this position of its node set. */
  void grow(long number, Growth growth, int at) {
    newest = new Step(number, growth, at, newest);
  }

  /** Returns the number of the last growth, -1 if there is none. */
  long lastGrowth() {
    return newest == null ? -1 : newest.number;
  }

  /**
   * Adds the amounts that a victim holds at a position of its node set, or removes them with sign
   * -1.
   */
  void addVictim(NodeSet held, int at, int sign) {
    leftGpus += sign * held.gpus(at);
    leftShared += sign * held.shared(at);
    if (held.shared(at) > 0) {
      held.addShares(at, leftShareOfGpu, sign);
    }
    leftCpu += sign * held.cpu(at);
    leftMemory += sign * held.memory(at);
  }

  /** Removes all victims. */
  void removeVictims() {
    leftGpus = 0;
    if (leftShared > 0) {
      leftShared = 0;
      Arrays.fill(leftShareOfGpu, 0);
    }
    leftCpu = 0;
    leftMemory = 0;
  }

  /** Returns its amount of each resource: wholly free GPUs of all models, and the freest GPU. */
  NodeAmounts amounts() {
    return new NodeAmounts(
        wholeGpus + leftGpus + leftShared, freestGpu(), cpu + leftCpu, memory + leftMemory);
  }

  private int freestGpu() {
    return leftGpus + leftShared > 0 ? WHOLE : freest;
  }

  /** Returns true if it has at least these amounts. */
  boolean mayHold(NodeAmounts least) {
    return least.gpus() <= wholeGpus + leftGpus + leftShared
        && least.share() <= freestGpu()
        && least.cpu() <= cpu + leftCpu
        && least.memory() <= memory + leftMemory;
  }

  /** Returns true if it has grown for a rank since a growth, that one included. */
  boolean hasGrown(long rank, long since) {
    for (Step step = newest; step != null && step.number >= since; step = step.before) {
      if (step.growth.rank() <= rank) {
        return true;
      }
    }
    return false;
  }

  /** Returns false if no task of the job can go there. */
  boolean mayHold(JobSpec job, List<TaskShape> tasks) {
    for (int i = 0; i < tasks.size(); i++) {
      if (tasks(job, tasks.get(i)) > 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns an upper bound of the tasks that fit now, but did not before the growths for the job's
   * rank since a number, that one included.
   */
  int moreTasks(JobSpec job, TaskShape task, long rank, long since) {
    int now = tasks(job, task);
    if (now == 0 || task.isShare() || !(job.sharing() instanceof Sharing.Exclusive)) {
      return now;
    }
    long gpus = wholeGpus(job, task);
    long oldGpus = gpus;
    long oldCpu = cpu + leftCpu;
    long oldMemory = memory + leftMemory;
    for (Step step = newest; step != null && step.number >= since; step = step.before) {
      if (step.growth.rank() <= rank) {
        NodeSet grown = step.growth.capacity();
        oldGpus -= grown.shared(step.at) > 0 ? gpus : grown.gpus(step.at);
        oldCpu -= grown.cpu(step.at);
        oldMemory -= grown.memory(step.at);
      }
    }
    return now - fitting(task, oldGpus, oldCpu, oldMemory);
  }

  /** Returns an upper bound of the tasks that fit. */
  int tasks(JobSpec job, TaskShape task) {
    if (task.cpu() > cpu + leftCpu || task.memory() > memory + leftMemory) {
      return 0;
    }
    int least = job.sharing() instanceof Sharing.Exclusive ? task.share() : 1;
    long gpus =
        task.gpus() == 0 || least == WHOLE ? wholeGpus(job, task) : shares(job, task, least);
    return gpus < task.gpus() || !carriesLabelsOf(job, task)
        ? 0
        : fitting(task, gpus, cpu + leftCpu, memory + leftMemory);
  }

  private static int fitting(TaskShape task, long gpus, long cpu, long memory) {
    return gpus < 0 || cpu < 0 || memory < 0
        ? 0
        : task.fitting((int) Math.min(gpus, Integer.MAX_VALUE), cpu, memory);
  }

  private boolean carriesLabelsOf(JobSpec job, TaskShape task) {
    Map<String, String> asked = job.nodeLabels(task.role());
    return asked.isEmpty()
        || index.topology().nodes().get(node).labels().entrySet().containsAll(asked.entrySet());
  }

  /** Counts as {@link RoleCapacity} does, so that growth can be told. */
  private int wholeGpus(JobSpec job, TaskShape task) {
    int free = wholeGpus;
    if (isMixed || !job.gpuModels().isEmpty() || task.gpuMemory() > 0) {
      free = 0;
      for (int gpu = 0; gpu < index.gpus(node); gpu++) {
        free += index.freeShare(node, gpu) == WHOLE && isAllowed(gpu, job, task) ? 1 : 0;
      }
    }
    return free + leftGpus + (leftShared > 0 ? leftTogether(job, task) : 0);
  }

  private int leftTogether(JobSpec job, TaskShape task) {
    int together = 0;
    for (int gpu = 0; gpu < leftShareOfGpu.length; gpu++) {
      int share = leftShareOfGpu[gpu];
      boolean isWhole = share > 0 && index.freeShare(node, gpu) + share >= WHOLE;
      together += isWhole && isAllowed(gpu, job, task) ? 1 : 0;
    }
    return together;
  }

  private long shares(JobSpec job, TaskShape task, int least) {
    long found = (long) (leftGpus + leftShared) * (WHOLE / least);
    for (int gpu = 0; gpu < index.gpus(node); gpu++) {
      int free = index.freeShare(node, gpu);
      found += free >= least && isAllowed(gpu, job, task) ? free / least : 0;
    }
    return found;
  }

  private boolean isAllowed(int gpu, JobSpec job, TaskShape task) {
    if (index.isLost(node, gpu)) {
      return false;
    }
    GpuPool pool = index.pools().get(index.poolOf(node, gpu));
    return task.gpus() <= pool.maxFree()
        && task.gpuMemory() <= pool.memory().bytes()
        && pool.isAllowedTo(job);
  }
}
