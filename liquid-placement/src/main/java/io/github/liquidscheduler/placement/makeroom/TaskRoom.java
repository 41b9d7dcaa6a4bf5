package io.github.liquidscheduler.placement.makeroom;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.placement.gang.GangShape;
import io.github.liquidscheduler.placement.gang.TaskShape;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * How many tasks of each role every node would have room for if some running jobs had left, and
 * every domain of the required level: an upper bound, whatever the placer, since it looks at one
 * role at a time and at shares as if they could be put together. Where it is too small the job
 * cannot fit, which is far cheaper to find out than by placing it. Holds for jobs that share with
 * nobody.
 */
public final class TaskRoom {

  private static final int NOT_ALLOWED = -1;
  private static final int UNKNOWN = -1;

  private final CapacityIndex index;
  private final GangShape gang;
  private final TaskShape[] roles;
  private final NodeSet.Amounts left;
  private final int[][] free;
  private final long[] freeCpu;
  private final long[] freeMemory;
  // Of GPUs that are held in part; counted when the first share is left.
  private final int[] partlyFree;
  private final int[][] fitting;
  private final int[] domainOf;
  private final long[][] tasks;
  private int domainsThatHold;

  /**
   * Counts what is free now, and what some have left; changes as others leave. What they then give
   * back to the index is not counted again.
   */
  TaskRoom(CapacityIndex index, GangShape gang, NodeSet.Amounts left) {
    this.index = index;
    this.gang = gang;
    this.left = left;
    roles = gang.tasks().toArray(TaskShape[]::new);
    domainOf = domains(index, gang.topology().widestLevel());
    free = new int[roles.length][domainOf.length];
    freeCpu = new long[domainOf.length];
    Arrays.setAll(freeCpu, index::freeCpu);
    freeMemory = new long[domainOf.length];
    Arrays.setAll(freeMemory, index::freeMemory);
    partlyFree = new int[domainOf.length];
    Arrays.fill(partlyFree, UNKNOWN);
    fitting = new int[roles.length][domainOf.length];
    int domains = Arrays.stream(domainOf).max().orElse(0) + 1;
    tasks = new long[roles.length][domains];
    for (int role = 0; role < roles.length; role++) {
      count(role);
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

  private void count(int role) {
    Arrays.fill(free[role], NOT_ALLOWED);
    for (GpuPool pool : index.pools()) {
      if (gang.allows(roles[role], pool)) {
        countFree(role, pool);
      }
    }
    for (int node = 0; node < domainOf.length; node++) {
      if (free[role][node] != NOT_ALLOWED) {
        fitting[role][node] = fitting(role, node);
        tasks[role][domainOf[node]] += fitting[role][node];
      }
    }
  }

  private void countFree(int role, GpuPool pool) {
    for (int slot = 0; slot < pool.size(); slot++) {
      int node = pool.nodeOf(slot);
      if (pool.free(slot) >= 0 && gang.allows(node)) {
        free[role][node] = Math.max(0, free[role][node]) + free(roles[role], pool, slot);
      }
    }
  }

  /** Returns the GPUs, or shares of GPUs, that tasks may have of a slot. */
  private int free(TaskShape task, GpuPool pool, int slot) {
    if (!task.isShare()) {
      return pool.free(slot);
    }
    return pool.mostWith(task.share(), slot) > 0 ? shares(task, pool, pool.nodeOf(slot)) : 0;
  }

  private int shares(TaskShape task, GpuPool pool, int node) {
    int shares = 0;
    for (int gpu = 0; gpu < index.gpus(node); gpu++) {
      if (index.isOf(pool, node, gpu) && !index.isLost(node, gpu)) {
        long memories =
            task.gpuMemory() == 0
                ? Integer.MAX_VALUE
                : index.freeGpuMemory(node, gpu) / task.gpuMemory();
        shares += (int) Math.min(index.freeShare(node, gpu) / task.share(), memories);
      }
    }
    return shares;
  }

  /** Returns the tasks of each role, in the order of the numbers of roles. */
  public List<TaskShape> roles() {
    return Collections.unmodifiableList(Arrays.asList(roles));
  }

  /** Returns how many of the tasks of a role have no room at least, in any domain allowed. */
  public int missing(int role) {
    long most = 0;
    for (long inDomain : tasks[role]) {
      most = Math.max(most, inDomain);
    }
    return (int) Math.max(0, roles[role].role().count() - most);
  }

  /** Returns whether the job may fit once all have left who were added. */
  public boolean mayHold() {
    return domainsThatHold > 0;
  }

  /** Has a job leave. */
  void add(NodeSet held) {
    held.addTo(left, 1);
    recount(held);
  }

  /** Has a job that was added be there again. */
  void remove(NodeSet held) {
    held.addTo(left, -1);
    recount(held);
  }

  /** Returns whether any task could go to a node where a job is that was added. */
  boolean isUsedBy(NodeSet held) {
    for (int i = 0; i < held.size(); i++) {
      if (isUsed(held.node(i))) {
        return true;
      }
    }
    return false;
  }

  private boolean isUsed(int node) {
    for (int[] ofRole : fitting) {
      if (ofRole[node] > 0) {
        return holds(domainOf[node]);
      }
    }
    return false;
  }

  private void recount(NodeSet held) {
    for (int role = 0; role < roles.length; role++) {
      for (int i = 0; i < held.size(); i++) {
        int node = held.node(i);
        if (free[role][node] != NOT_ALLOWED) {
          set(role, node, fitting(role, node));
        }
      }
    }
  }

  private void set(int role, int node, int fits) {
    int more = fits - fitting[role][node];
    if (more != 0) {
      int domain = domainOf[node];
      domainsThatHold -= holds(domain) ? 1 : 0;
      tasks[role][domain] += more;
      fitting[role][node] = fits;
      domainsThatHold += holds(domain) ? 1 : 0;
    }
  }

  private boolean holds(int domain) {
    for (int role = 0; role < roles.length; role++) {
      if (tasks[role][domain] < roles[role].role().count()) {
        return false;
      }
    }
    return true;
  }

  private int fitting(int role, int node) {
    TaskShape task = roles[role];
    int gpus = gpus(task, node, free[role][node]);
    int most =
        task.gpus() == 0 ? task.role().count() : Math.min(task.role().count(), gpus / task.gpus());
    long cpu = freeCpu[node] + left.cpu[node];
    long memory = freeMemory[node] + left.memory[node];
    return most == 0 || task.cpu() > cpu || task.memory() > memory
        ? 0
        : Math.min(most, task.fitting(Integer.MAX_VALUE, cpu, memory));
  }

  /** Returns the GPUs, or shares of GPUs, that tasks may have of a node where so many are free. */
  private int gpus(TaskShape task, int node, int free) {
    int whole = left.gpus[node] * (1000 / task.share());
    if (left.share[node] == 0) {
      return free + whole;
    }
    int together = (left.share[node] + partlyFree(node)) / task.share();
    return free + whole + (task.isShare() ? together : Math.min(together, left.shared[node]));
  }

  private int partlyFree(int node) {
    if (partlyFree[node] == UNKNOWN) {
      partlyFree[node] = 0;
      for (int gpu = 0; gpu < index.gpus(node); gpu++) {
        int share = index.freeShare(node, gpu);
        partlyFree[node] += share < 1000 ? share : 0;
      }
    }
    return partlyFree[node];
  }
}
