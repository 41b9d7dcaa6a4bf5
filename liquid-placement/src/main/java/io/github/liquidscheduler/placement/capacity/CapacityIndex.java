package io.github.liquidscheduler.placement.capacity;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskRole;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/*
 * Idea: primitive arrays by node and GPU position hold free amounts; above them each GpuPool keeps
 * the nodes of one GPU model in buckets of free GPUs, with DomainLevels that sum up the topology
 * tree, so that a search never walks all nodes. take and giveBack keep all of it in step.
 * Invariants: freeGpus, pools and levels follow from freeShare, health and lostGpus (recount); pool
 * bounds of CPU and memory are never below the true amounts; topology tables are shared by copies.
 * Cost: take and giveBack O(GPUs of the node + levels); tighten O(64); copy O(nodes).
 * CapacityIndexLaws compares with a recount; docs/performance.md sets placements beside Fenzo's.
 */
/**
 * The free capacity of every node and GPU, and of every domain by pool. It knows amounts, not their
 * holders. Not thread-safe.
 *
 * <p>Nodes are named by their position in {@link ClusterTopology#nodes()}, GPUs by their index on
 * the node.
 */
public final class CapacityIndex {

  private final NodeLayout layout;
  private final int[] firstGpu;
  private final List<GpuPool> pools;
  private final long[] freeCpu;
  private final long[] freeMemory;
  private final int[] freeShare;
  private final long[] freeGpuMemory;
  private final NodeHealth[] health;
  private final BitSet lostGpus;
  // Nodes that take nothing, though they are up: more was held there than there is.
  private final BitSet closed;
  // Of all pools; -1 if the node is not up.
  private final int[] freeGpus;
  private final BitSet withFreeGpus;
  private int allFreeGpus;
  // Null if it has to be looked up.
  private @Nullable Boolean isAnyDraining;

  /** Makes the index of an idle cluster with all nodes up. */
  CapacityIndex(ClusterTopology topology) {
    this(new NodeLayout(new PoolBuilder(topology, null, new int[0]), LabelIndex.of(topology)));
    enterAll();
  }

  /** Makes an index that no node has entered. */
  private CapacityIndex(NodeLayout layout) {
    this.layout = layout;
    pools = layout.sorted.pools();
    firstGpu = layout.firstGpu;
    freeCpu = new long[topology().nodes().size()];
    freeMemory = new long[freeCpu.length];
    freeGpus = new int[freeCpu.length];
    withFreeGpus = new BitSet(freeCpu.length);
    freeShare = new int[topology().gpuCount()];
    freeGpuMemory = new long[freeShare.length];
    health = new NodeHealth[freeCpu.length];
    lostGpus = new BitSet();
    closed = new BitSet();
  }

  private void enterAll() {
    for (int position = 0; position < freeCpu.length; position++) {
      enter(position);
    }
    sumUp();
  }

  private void sumUp() {
    pools.forEach(pool -> pool.sumUp(freeCpu, freeMemory));
  }

  /** Adds a node that is up and idle. */
  private void enter(int position) {
    Node node = topology().nodes().get(position);
    freeCpu[position] = node.cpu().millicores();
    freeMemory[position] = node.memory().bytes();
    health[position] = NodeHealth.UP;
    for (int gpu = firstGpu[position]; gpu < firstGpu[position + 1]; gpu++) {
      freeShare[gpu] = GpuPool.WHOLE;
      freeGpuMemory[gpu] = pools.get(layout.poolOfGpu[gpu]).memory().bytes();
    }
    recount(position);
  }

  private CapacityIndex(CapacityIndex other) {
    layout = other.layout;
    firstGpu = other.firstGpu;
    pools = other.pools.stream().map(GpuPool::copy).toList();
    freeCpu = other.freeCpu.clone();
    freeMemory = other.freeMemory.clone();
    freeShare = other.freeShare.clone();
    freeGpuMemory = other.freeGpuMemory.clone();
    health = other.health.clone();
    lostGpus = (BitSet) other.lostGpus.clone();
    closed = (BitSet) other.closed.clone();
    freeGpus = other.freeGpus.clone();
    withFreeGpus = (BitSet) other.withFreeGpus.clone();
    allFreeGpus = other.allFreeGpus;
  }

  CapacityIndex copy() {
    return new CapacityIndex(this);
  }

  /** Returns the index of the same cluster with all nodes up and idle; O(nodes + GPUs). */
  CapacityIndex idle() {
    CapacityIndex idle = new CapacityIndex(layout);
    idle.enterAll();
    return idle;
  }

  /**
   * Returns an independent index of a changed cluster; nodes that come are up and idle. O(nodes +
   * GPUs).
   *
   * @param before the position of each of its nodes here; -1 if it comes
   */
  CapacityIndex in(ClusterTopology changed, int[] before) {
    LabelIndex labels = layout.labels.in(changed, before, leaving(before));
    PoolBuilder sorted = new PoolBuilder(changed, layout.sorted, before);
    CapacityIndex moved = new CapacityIndex(new NodeLayout(sorted, labels));
    for (int node = 0; node < before.length; node++) {
      if (before[node] < 0) {
        moved.enter(node);
      } else {
        moved.takeOver(node, this, before[node]);
      }
    }
    moved.sumUp();
    return moved;
  }

  /** Returns the positions of the nodes that are not among those before a change. */
  IntStream leaving(int[] before) {
    BitSet stay = new BitSet();
    Arrays.stream(before).filter(node -> node >= 0).forEach(stay::set);
    return IntStream.range(0, health.length).filter(node -> !stay.get(node));
  }

  private void takeOver(int node, CapacityIndex other, int there) {
    freeCpu[node] = other.freeCpu[there];
    freeMemory[node] = other.freeMemory[there];
    health[node] = other.health[there];
    closed.set(node, other.closed.get(there));
    int from = other.firstGpu[there];
    int to = firstGpu[node];
    System.arraycopy(other.freeShare, from, freeShare, to, gpus(node));
    System.arraycopy(other.freeGpuMemory, from, freeGpuMemory, to, gpus(node));
    for (int gpu = 0; !other.lostGpus.isEmpty() && gpu < gpus(node); gpu++) {
      lostGpus.set(to + gpu, other.lostGpus.get(from + gpu));
    }
    recount(node);
  }

  /** Returns the topology. */
  public ClusterTopology topology() {
    return layout.topology;
  }

  /** Returns the pools in the order in which their types of GPU appear in the topology. */
  public List<GpuPool> pools() {
    return pools;
  }

  /**
   * Returns the nodes of each domain of the level at {@code position} in {@link
   * ClusterTopology#levels()}, except the last level, that of single nodes.
   */
  public List<NodeRange> nodesOf(int position) {
    return layout.rangesByLevel.get(position);
  }

  /** Returns the wholly free GPUs of all nodes that are up. */
  public int freeGpus() {
    return allFreeGpus;
  }

  /**
   * Returns the wholly free GPUs of a node in some pools, by their positions; -1 if it is not up or
   * in none of them.
   */
  public int freeGpus(int node, boolean[] inPools) {
    int entry = layout.firstEntry[node];
    int end = layout.firstEntry[node + 1];
    if (end - entry == 1) {
      return inPools[layout.entryPool[entry]] ? freeGpus[node] : -1;
    }
    int free = -1;
    for (; entry < end; entry++) {
      if (inPools[layout.entryPool[entry]] && freeGpus[node] >= 0) {
        free = Math.max(0, free) + pools.get(layout.entryPool[entry]).free(layout.entrySlot[entry]);
      }
    }
    return free;
  }

  /** Returns true if a node is up and any part of a GPU is free. */
  public boolean hasFreeGpu(int node) {
    return withFreeGpus.get(node);
  }

  /** Returns the first node from this one on that is up and has any part of a GPU free, or -1. */
  public int nextWithFreeGpu(int node) {
    return withFreeGpus.nextSetBit(node);
  }

  /** Returns the free CPU of the node, in millicores. */
  public long freeCpu(int node) {
    return freeCpu[node];
  }

  /** Returns the free host memory of the node, in bytes. */
  public long freeMemory(int node) {
    return freeMemory[node];
  }

  /** Returns true if any node is draining: its jobs run on, and none may start. */
  public boolean isAnyDraining() {
    @Nullable Boolean known = isAnyDraining;
    if (known == null) {
      known = Arrays.asList(health).contains(NodeHealth.DRAINING) || !closed.isEmpty();
      isAnyDraining = known;
    }
    return known;
  }

  /** Returns the health of the node; that of a draining one while it is closed. */
  public NodeHealth health(int node) {
    return health[node] == NodeHealth.UP && closed.get(node)
        ? NodeHealth.DRAINING
        : toldHealth(node);
  }

  /** Returns the health of the node, whether it is closed or not. */
  NodeHealth toldHealth(int node) {
    return health[node];
  }

  /** Returns true if more is held of the node, or of one of its GPUs, than there is. */
  public boolean isOverfull(int node) {
    boolean isOverfull = freeCpu[node] < 0 || freeMemory[node] < 0;
    for (int gpu = 0; gpu < gpus(node); gpu++) {
      isOverfull |= isOverfull(node, gpu);
    }
    return isOverfull;
  }

  /** Returns true if more is held of a GPU than there is. */
  public boolean isOverfull(int node, int gpu) {
    return freeShare(node, gpu) < 0 || freeGpuMemory(node, gpu) < 0;
  }

  /** Returns the free compute of the GPU, in thousandths. */
  public int freeShare(int node, int gpu) {
    return freeShare[firstGpu[node] + gpu];
  }

  /** Returns the free device memory of the GPU, in bytes. */
  public long freeGpuMemory(int node, int gpu) {
    return freeGpuMemory[firstGpu[node] + gpu];
  }

  /** Returns the number of GPUs of the node, whatever their state. */
  public int gpus(int node) {
    return firstGpu[node + 1] - firstGpu[node];
  }

  /** Returns the NVLink group of the GPU. */
  public int nvlinkGroup(int node, int gpu) {
    return layout.groupOfGpu[firstGpu[node] + gpu];
  }

  /** Returns true if the GPU is lost. */
  public boolean isLost(int node, int gpu) {
    return lostGpus.get(firstGpu[node] + gpu);
  }

  /** Returns true if the GPU is in the pool, wholly free and not lost. */
  public boolean isFree(GpuPool pool, int node, int gpu) {
    int position = firstGpu[node] + gpu;
    return freeShare[position] == 1000
        && pools.get(layout.poolOfGpu[position]) == pool
        && !lostGpus.get(position);
  }

  /** Returns the position in {@link #pools()} of the pool that the GPU is in. */
  public int poolOf(int node, int gpu) {
    return layout.poolOfGpu[firstGpu[node] + gpu];
  }

  /** Returns the position of the node that the GPU at a position in the cluster is on. */
  public int nodeOfGpu(int position) {
    return layout.nodeOfGpu(position);
  }

  /** Returns the GPU at a position in the cluster. */
  public GpuId gpu(int position) {
    int node = nodeOfGpu(position);
    return new GpuId(topology().nodes().get(node).id(), position - firstGpu[node]);
  }

  /** Returns true if the GPU is in the pool. */
  public boolean isOf(GpuPool pool, int node, int gpu) {
    return pools.get(layout.poolOfGpu[firstGpu[node] + gpu]) == pool;
  }

  /**
   * Returns the nodes that a job may run on by its labels, those of its role if it has one, and its
   * excluded nodes; null if these are all. Not to be changed. O(1) for one label of many nodes,
   * else O(nodes of the rarest label), or O(nodes) if some are excluded.
   */
  public @Nullable BitSet nodesAllowedTo(JobSpec job) {
    return layout.nodesAllowedTo(
        job, job.roles().size() == 1 ? job.nodeLabels(job.roles().getFirst()) : job.nodeLabels());
  }

  /** Returns the nodes that the tasks of a role may run on, as {@link #nodesAllowedTo(JobSpec)}. */
  public @Nullable BitSet nodesAllowedTo(JobSpec job, TaskRole role) {
    return layout.nodesAllowedTo(job, job.nodeLabels(role));
  }

  /**
   * Takes amounts of a node, which the caller has checked to be free, or knows to be held; what is
   * free is negative while more is held than there is.
   */
  public void take(Holding held) {
    change(held, -1);
  }

  /** Gives back amounts taken by {@link #take}. */
  public void giveBack(Holding held) {
    change(held, 1);
    raise(held.node());
  }

  private void change(Holding held, int sign) {
    int node = held.node();
    freeCpu[node] += sign * held.cpu();
    freeMemory[node] += sign * held.memory();
    for (int gpu : held.gpus()) {
      freeShare[firstGpu[node] + gpu] += sign * held.share();
      freeGpuMemory[firstGpu[node] + gpu] += sign * held.gpuMemory();
    }
    recount(node);
  }

  /** Sets the health of a node. */
  void setHealth(int node, NodeHealth health) {
    this.health[node] = health;
    isAnyDraining = null;
    recount(node);
  }

  /** Sets whether a node takes nothing, although it is up. */
  public void setClosed(int node, boolean isClosed) {
    closed.set(node, isClosed);
    isAnyDraining = null;
    recount(node);
  }

  /** Sets whether a GPU is lost. */
  void setLost(int node, int gpu, boolean lost) {
    lostGpus.set(firstGpu[node] + gpu, lost);
    recount(node);
  }

  /** Makes the bounds of the node's blocks exact. */
  void tighten(int node) {
    for (int entry = layout.firstEntry[node]; entry < layout.firstEntry[node + 1]; entry++) {
      pools.get(layout.entryPool[entry]).tighten(layout.entrySlot[entry], freeCpu, freeMemory);
    }
  }

  private void raise(int node) {
    for (int entry = layout.firstEntry[node]; entry < layout.firstEntry[node + 1]; entry++) {
      pools
          .get(layout.entryPool[entry])
          .raise(layout.entrySlot[entry], freeCpu[node], freeMemory[node]);
    }
  }

  private void recount(int node) {
    freeGpus[node] = health(node) == NodeHealth.UP ? 0 : -1;
    withFreeGpus.clear(node);
    for (int entry = layout.firstEntry[node]; entry < layout.firstEntry[node + 1]; entry++) {
      recount(node, layout.entryPool[entry], layout.entrySlot[entry]);
    }
  }

  private void recount(int node, int poolPosition, int slot) {
    GpuPool pool = pools.get(poolPosition);
    int free = 0;
    int partial = 0;
    for (int gpu = firstGpu[node]; gpu < firstGpu[node + 1]; gpu++) {
      if (layout.poolOfGpu[gpu] == poolPosition && !lostGpus.get(gpu)) {
        if (freeShare[gpu] == 1000) {
          free++;
        } else {
          partial = Math.max(partial, freeShare[gpu]);
        }
      }
    }
    boolean up = health(node) == NodeHealth.UP;
    freeGpus[node] += up ? free : 0;
    if (up && free + partial > 0) {
      withFreeGpus.set(node);
    }
    allFreeGpus += (up ? free : 0) - Math.max(pool.free(slot), 0);
    pool.set(slot, up ? free : -1, up ? partial : 0);
  }
}
