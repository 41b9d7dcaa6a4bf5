package io.github.liquidscheduler.simulator.ledger;

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
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/**
 * Independent books of the jobs' GPUs, kept from the decisions alone. Over-commitment by the
 * scheduler shows here as an {@link IllegalStateException}.
 */
public final class ClusterLedger {

  private static final int WHOLE = GpuShare.WHOLE.thousandths();

  private final ClusterTopology topology;
  private final FreeGpus free;
  private final ClusterHealth health;
  private final int[] freeShare;
  private final long[] freeGpuMemory;
  private final long[] freeCpu;
  private final long[] freeMemory;
  private int heldGpus;

  /** Makes the books of a cluster of which everything is free and up. */
  public ClusterLedger(ClusterTopology topology) {
    this.topology = topology;
    free = new FreeGpus(topology);
    List<Node> nodes = topology.nodes();
    health = new ClusterHealth(topology);
    freeCpu = nodes.stream().mapToLong(node -> node.cpu().millicores()).toArray();
    freeMemory = nodes.stream().mapToLong(node -> node.memory().bytes()).toArray();
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

  /** Returns true if a task of the placement is on something that is gone. */
  public boolean isStruck(Placement placement) {
    return health.isStruck(placement);
  }

  /** Books an event of a node or GPU; returns true if it changes anything. */
  public boolean apply(ClusterEvent event) {
    OptionalInt changed = health.apply(event);
    changed.ifPresent(this::recount);
    return changed.isPresent();
  }

  /**
   * Gives a job what its placement says.
   *
   * @throws IllegalStateException if a node or GPU is not there, is not up or would be
   *     over-committed
   */
  public void take(Placement placement) {
    for (TaskPlacement task : placement.tasks()) {
      int node = position(task.node());
      if (!health.isUp(node, task)) {
        throw new IllegalStateException(
            "a task must be placed on nodes and GPUs that are up, but was not: %s of job '%s'"
                .formatted(task, placement.job()));
      }
      move(node, task, -1);
      if (!isWithinCapacity(node, task)) {
        throw new IllegalStateException(
            "nothing must be over-committed, but there is no capacity for %s of job '%s'"
                .formatted(task, placement.job()));
      }
    }
  }

  /** Takes back what a job holds by its placement. */
  public void release(Placement placement) {
    for (TaskPlacement task : placement.tasks()) {
      move(position(task.node()), task, 1);
    }
  }

  /**
   * Compares these books with the scheduler's.
   *
   * @throws IllegalStateException if they differ anywhere; O(GPUs)
   */
  public void requireSame(ClusterView view) {
    for (int node = 0; node < freeCpu.length; node++) {
      NodeId id = topology.nodes().get(node).id();
      require(health.of(node) == view.health(id), "the health of node '" + id + "'");
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
      require(health.isLost(position) == view.isLost(gpuId), "whether GPU '" + gpuId + "' is lost");
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
    if (health.of(node) == NodeHealth.UP && !health.isLost(gpu)) {
      free.set(node, free.on(node) + (isHeldNow ? -1 : 1));
    }
  }

  private void recount(int node) {
    int count = 0;
    if (health.of(node) == NodeHealth.UP) {
      for (int gpu = topology.gpusBefore(node); gpu < topology.gpusBefore(node + 1); gpu++) {
        count += freeShare[gpu] == WHOLE && !health.isLost(gpu) ? 1 : 0;
      }
    }
    free.set(node, count);
  }

  private int position(NodeId node) {
    try {
      return topology.position(node);
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException(
          "a placement must name nodes of the cluster, but named " + node, e);
    }
  }
}
