package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.util.Arrays;
import java.util.List;

/**
 * The simulator's own books of who holds what, kept from the decisions alone and apart from the
 * scheduler's. What a scheduler over-commits shows here as an {@link IllegalStateException}.
 */
final class ClusterLedger {

  private static final int WHOLE = GpuShare.WHOLE.thousandths();

  private final ClusterTopology topology;
  private final FreeGpus free;
  private final NodeHealth[] health;
  private final boolean[] gpuLost;
  private final int[] freeShare;
  private final long[] freeGpuMemory;
  private final long[] freeCpu;
  private final long[] freeMemory;
  private int heldGpus;

  ClusterLedger(ClusterTopology topology) {
    this.topology = topology;
    free = new FreeGpus(topology);
    List<Node> nodes = topology.nodes();
    health = new NodeHealth[nodes.size()];
    Arrays.fill(health, NodeHealth.UP);
    freeCpu = nodes.stream().mapToLong(node -> node.cpu().millicores()).toArray();
    freeMemory = nodes.stream().mapToLong(node -> node.memory().bytes()).toArray();
    gpuLost = new boolean[topology.gpuCount()];
    freeShare = new int[topology.gpuCount()];
    Arrays.fill(freeShare, WHOLE);
    freeGpuMemory =
        nodes.stream()
            .flatMap(node -> node.gpus().stream())
            .map(Gpu::memory)
            .mapToLong(Memory::bytes)
            .toArray();
  }

  FreeGpus free() {
    return free;
  }

  /** Returns the number of GPUs that someone holds, wholly or in part. */
  int heldGpus() {
    return heldGpus;
  }

  NodeHealth health(NodeId node) {
    return health[topology.position(node)];
  }

  boolean isLost(GpuId gpu) {
    return gpuLost[position(gpu)];
  }

  /** Returns whether a task of the placement is on something that is gone. */
  boolean isStruck(Placement placement) {
    return placement.tasks().stream()
        .anyMatch(
            task ->
                health(task.node()) == NodeHealth.LOST
                    || task.gpus().stream().anyMatch(gpu -> isLost(new GpuId(task.node(), gpu))));
  }

  /** Sets the health of a node and returns whether it was another. */
  boolean setHealth(NodeId node, NodeHealth changed) {
    int position = topology.position(node);
    boolean changes = health[position] != changed;
    health[position] = changed;
    recount(position);
    return changes;
  }

  /** Marks a GPU as lost or not and returns whether it was not so already. */
  boolean setLost(GpuId gpu, boolean lost) {
    boolean changes = gpuLost[position(gpu)] != lost;
    gpuLost[position(gpu)] = lost;
    recount(topology.position(gpu.node()));
    return changes;
  }

  /**
   * Gives a job what its placement says.
   *
   * @throws IllegalStateException if a node or GPU is not there, is not up or would be
   *     over-committed
   */
  void take(Placement placement) {
    for (TaskPlacement task : placement.tasks()) {
      int node = position(task.node());
      if (!isUp(node, task)) {
        throw new IllegalStateException(
            "a task must be placed on nodes and GPUs that are up, but was not: %s of job '%s'"
                .formatted(task, placement.job()));
      }
      move(node, task, -1);
      if (!isWithinCapacity(node, task)) {
        throw new IllegalStateException(
            "nothing must be over-committed, but there is no room for %s of job '%s'"
                .formatted(task, placement.job()));
      }
    }
  }

  void release(Placement placement) {
    for (TaskPlacement task : placement.tasks()) {
      move(position(task.node()), task, 1);
    }
  }

  /**
   * Compares these books with the scheduler's.
   *
   * @throws IllegalStateException if they differ anywhere; O(GPUs)
   */
  void requireSame(ClusterView view) {
    for (int node = 0; node < health.length; node++) {
      NodeId id = topology.nodes().get(node).id();
      require(health[node] == view.health(id), "the health of node '" + id + "'");
      require(free.on(node) == view.freeGpus(id), "the free GPUs of node '" + id + "'");
      require(freeCpu[node] == view.freeCpu(id).millicores(), "the free CPU of node '" + id + "'");
      require(freeMemory[node] == view.freeMemory(id).bytes(), "the memory of node '" + id + "'");
      requireSameGpus(view, node, id);
    }
  }

  private void requireSameGpus(ClusterView view, int node, NodeId id) {
    for (int gpu = 0; gpu < topology.nodes().get(node).gpus().size(); gpu++) {
      int position = topology.gpusBefore(node) + gpu;
      GpuId gpuId = new GpuId(id, gpu);
      require(gpuLost[position] == view.isLost(gpuId), "whether GPU '" + gpuId + "' is lost");
      require(freeShare[position] == view.freeShare(gpuId), "the share of GPU '" + gpuId + "'");
      require(
          freeGpuMemory[position] == view.freeGpuMemory(gpuId).bytes(),
          "the memory of GPU '" + gpuId + "'");
    }
  }

  private static void require(boolean same, String what) {
    if (!same) {
      throw new IllegalStateException(
          "the scheduler's books must be what its decisions add up to, but differ in " + what);
    }
  }

  private boolean isUp(int node, TaskPlacement task) {
    int gpusThere = topology.gpusBefore(node + 1) - topology.gpusBefore(node);
    boolean up = health[node] == NodeHealth.UP;
    for (int gpu : task.gpus()) {
      up &= gpu < gpusThere && !gpuLost[topology.gpusBefore(node) + gpu];
    }
    return up;
  }

  private boolean isWithinCapacity(int node, TaskPlacement task) {
    boolean fits = freeCpu[node] >= 0 && freeMemory[node] >= 0;
    for (int gpu : task.gpus()) {
      int position = topology.gpusBefore(node) + gpu;
      fits &= freeShare[position] >= 0 && freeGpuMemory[position] >= 0;
    }
    return fits;
  }

  /** Gives ({@code sign} 1) or takes ({@code sign} -1) what a task holds. */
  private void move(int node, TaskPlacement task, int sign) {
    ResourceRequest request = task.request();
    freeCpu[node] += sign * request.cpu().orElse(CpuCores.ZERO).millicores();
    freeMemory[node] += sign * request.memory().orElse(Memory.ZERO).bytes();
    long gpuMemory = sign * request.gpuMemory().orElse(Memory.ZERO).bytes();
    int share = sign * task.share().thousandths();
    for (int gpu : task.gpus()) {
      int position = topology.gpusBefore(node) + gpu;
      boolean wasFree = freeShare[position] == WHOLE;
      freeShare[position] += share;
      freeGpuMemory[position] += gpuMemory;
      if (wasFree != (freeShare[position] == WHOLE)) {
        countHeld(node, position, wasFree);
      }
    }
  }

  private void countHeld(int node, int gpu, boolean isHeldNow) {
    heldGpus += isHeldNow ? 1 : -1;
    if (health[node] == NodeHealth.UP && !gpuLost[gpu]) {
      free.set(node, free.on(node) + (isHeldNow ? -1 : 1));
    }
  }

  private void recount(int node) {
    int count = 0;
    if (health[node] == NodeHealth.UP) {
      for (int gpu = topology.gpusBefore(node); gpu < topology.gpusBefore(node + 1); gpu++) {
        count += freeShare[gpu] == WHOLE && !gpuLost[gpu] ? 1 : 0;
      }
    }
    free.set(node, count);
  }

  private int position(NodeId node) {
    if (!topology.contains(node)) {
      throw new IllegalStateException(
          "a placement must name nodes of the cluster, but named " + node);
    }
    return topology.position(node);
  }

  private int position(GpuId gpu) {
    topology.gpu(gpu);
    return topology.gpusBefore(topology.position(gpu.node())) + gpu.index();
  }
}
