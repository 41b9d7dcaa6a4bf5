package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import java.util.Arrays;
import java.util.List;

/**
 * The nodes of a range as bins for the tasks of a gang, in arrays. The part of a node in one GPU
 * pool is a bin; bins of a node share its CPU and host memory, and only the first takes tasks
 * without GPUs. Bins are in the order of nodes, so that those of a domain are adjacent; bins that
 * hold no task are left out.
 *
 * <p>Free parts of GPUs count in sum. So all that fits on the nodes fits in the bins; the reverse
 * holds if no task takes a part of a GPU.
 */
final class PackingBins {

  /** Wholly free GPUs, thousandths of GPUs, CPU and host memory. */
  static final int RESOURCES = 4;

  /** From here on resources belong to the node, not to the bin. */
  static final int OF_NODE = 2;

  /** The requests, one for each role, those hardest to place first. */
  final TaskShape[] tasks;

  /** The amounts of a task, by role and resource. */
  final long[] requests;

  private final CapacityIndex index;
  private final GangShape gang;
  private final List<GpuPool> pools;
  private final boolean hasShares;
  private int size;
  private int[] nodes = new int[16];
  private GpuPool[] poolOf = new GpuPool[16];
  private long[] free = new long[16 * RESOURCES];
  private int[] fitting;

  /** Finds the bins of a range. */
  PackingBins(CapacityIndex index, GangShape gang, NodeRange range, List<GpuPool> pools) {
    this.index = index;
    this.gang = gang;
    this.pools = pools;
    tasks = gang.tasks().toArray(TaskShape[]::new);
    hasShares = gang.tasks().stream().anyMatch(TaskShape::isShare);
    fitting = new int[16 * tasks.length];
    requests = new long[tasks.length * RESOURCES];
    for (int role = 0; role < tasks.length; role++) {
      TaskShape task = tasks[role];
      long shares = (long) task.gpus() * task.share();
      long[] request = {task.wholeGpus(), shares, task.cpu(), task.memory()};
      System.arraycopy(request, 0, requests, role * RESOURCES, RESOURCES);
    }
    for (long slot : slots(range)) {
      add((int) (slot >>> 32), index.pools().get((int) slot));
    }
  }

  /** Returns node and pool of each slot in the range that may be used, in the order of nodes. */
  private long[] slots(NodeRange range) {
    long[] slots = new long[16];
    int found = 0;
    for (int i = 0; i < index.pools().size(); i++) {
      GpuPool pool = index.pools().get(i);
      int end = pool.endSlot(range);
      for (int slot = pool.firstSlot(range); slot < end; slot++) {
        if (pool.free(slot) >= 0 && gang.allows(pool.nodeOf(slot))) {
          slots = found == slots.length ? Arrays.copyOf(slots, 2 * found) : slots;
          slots[found++] = ((long) pool.nodeOf(slot) << 32) | i;
        }
      }
    }
    long[] sorted = Arrays.copyOf(slots, found);
    Arrays.sort(sorted);
    return sorted;
  }

  private void add(int node, GpuPool pool) {
    if (size == nodes.length) {
      nodes = Arrays.copyOf(nodes, 2 * size);
      poolOf = Arrays.copyOf(poolOf, 2 * size);
      free = Arrays.copyOf(free, 2 * size * RESOURCES);
      fitting = Arrays.copyOf(fitting, 2 * size * tasks.length);
    }
    boolean usable = pools.contains(pool);
    int whole = usable ? pool.free(pool.firstSlot(node)) : 0;
    long shares = usable && hasShares ? freeShares(node, pool) : 1000L * whole;
    long[] amounts = {whole, shares, index.freeCpu(node), index.freeMemory(node)};
    System.arraycopy(amounts, 0, free, size * RESOURCES, RESOURCES);
    nodes[size] = node;
    poolOf[size] = pool;
    boolean useful = false;
    for (int role = 0; role < tasks.length; role++) {
      boolean allowed = tasks[role].gpus() == 0 ? startsNode(size) : usable;
      allowed &= gang.allows(tasks[role], pool) && gang.allows(tasks[role], node);
      int here = allowed ? fitting(node, pool, whole, role) : 0;
      fitting[size * tasks.length + role] = here;
      useful |= here > 0;
    }
    size += useful ? 1 : 0;
  }

  private int fitting(int node, GpuPool pool, int whole, int role) {
    TaskShape task = tasks[role];
    int gpus = task.isShare() ? sharesOf(node, pool, task) : whole;
    int most = Math.min(task.role().count(), gang.topology().maxTasksInDomain());
    return Math.min(most, task.fitting(gpus, index.freeCpu(node), index.freeMemory(node)));
  }

  /** Returns the number of tasks on a part of a GPU that the GPUs of a bin hold. */
  private int sharesOf(int node, GpuPool pool, TaskShape task) {
    long sum = 0;
    for (int gpu = 0; gpu < index.gpus(node); gpu++) {
      if (index.isOf(pool, node, gpu) && !index.isLost(node, gpu)) {
        long here = index.freeShare(node, gpu) / task.share();
        long memory = task.gpuMemory();
        sum += memory == 0 ? here : Math.min(here, index.freeGpuMemory(node, gpu) / memory);
      }
    }
    return (int) Math.min(sum, Integer.MAX_VALUE);
  }

  private long freeShares(int node, GpuPool pool) {
    long sum = 0;
    for (int gpu = 0; gpu < index.gpus(node); gpu++) {
      boolean counts = index.isOf(pool, node, gpu) && !index.isLost(node, gpu);
      sum += counts ? index.freeShare(node, gpu) : 0;
    }
    return sum;
  }

  /** Returns the number of bins. */
  int size() {
    return size;
  }

  /** Returns the position of the bin's node. */
  int node(int bin) {
    return nodes[bin];
  }

  /** Returns the pool of the bin's GPUs. */
  GpuPool pool(int bin) {
    return poolOf[bin];
  }

  /** Returns true if the bin is the first of its node. */
  boolean startsNode(int bin) {
    return bin == 0 || nodes[bin - 1] != nodes[bin];
  }

  /** Returns true if the bin is the last of its node. */
  boolean endsNode(int bin) {
    return bin + 1 == size || nodes[bin + 1] != nodes[bin];
  }

  /** Returns the free amount of a resource, in the bin or on its node. */
  long free(int bin, int resource) {
    return free[bin * RESOURCES + resource];
  }

  /** Returns the number of tasks of a role that the bin holds alone. */
  int fitting(int bin, int role) {
    return fitting[bin * tasks.length + role];
  }
}
