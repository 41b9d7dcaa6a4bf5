package io.github.liquidscheduler.placement.capacity;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.Node;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A node added to or removed from an index of capacity whose pools stay the same.
 *
 * @param nodes its position
 * @param gpus the positions of its GPUs
 * @param poolOfGpu the position of the pool of each of its GPUs; the pool without GPUs if it has
 *     none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record NodeSplice(Node node, Splice nodes, Splice gpus, int[] poolOfGpu) {

  private static final int NO_POOL = -1;

  /**
   * Returns the node added or removed if all pools keep their order and width: none is new or loses
   * its first node, and no pool's largest GPU count depends on the node.
   */
  static Optional<NodeSplice> of(CapacityIndex index, ClusterTopology changed, Splice nodes) {
    boolean comes = nodes.added() > 0;
    Node node = (comes ? changed : index.topology()).nodes().get(nodes.at());
    int count = node.gpus().size();
    int first = index.topology().gpusBefore(nodes.at());
    Splice gpus = new Splice(first, comes ? 0 : count, comes ? count : 0);
    int[] pools = poolsOf(node, index.pools());
    NodeSplice splice = new NodeSplice(node, nodes, gpus, pools);
    return Arrays.stream(pools).allMatch(pool -> splice.keeps(pool, index))
        ? Optional.of(splice)
        : Optional.empty();
  }

  private static int[] poolsOf(Node node, List<GpuPool> pools) {
    return node.gpus().isEmpty()
        ? new int[] {withoutGpus(pools)}
        : node.gpus().stream().mapToInt(gpu -> poolOf(gpu, pools)).toArray();
  }

  private static int withoutGpus(List<GpuPool> pools) {
    int position = pools.size() - 1;
    while (position >= 0 && pools.get(position).model().isPresent()) {
      position--;
    }
    return position;
  }

  private static int poolOf(Gpu gpu, List<GpuPool> pools) {
    int position = pools.size() - 1;
    while (position >= 0 && !pools.get(position).isOf(gpu)) {
      position--;
    }
    return position;
  }

  private boolean keeps(int position, CapacityIndex index) {
    if (position == NO_POOL || index.pools().get(position).nodeOf(0) >= nodes.at()) {
      return false;
    }
    GpuPool pool = index.pools().get(position);
    int here = node.gpus().isEmpty() ? 0 : gpusIn(position);
    return nodes.added() > 0
        ? here <= pool.maxFree()
        : here < pool.maxFree() || index.hasAnotherWith(here, position, nodes.at());
  }

  private int gpusIn(int pool) {
    return (int) Arrays.stream(poolOfGpu).filter(of -> of == pool).count();
  }

  /** Returns the distinct pools of the node, by their positions, ascending. */
  int[] pools() {
    return Arrays.stream(poolOfGpu).distinct().sorted().toArray();
  }

  /** Returns the change of the slots of a pool. */
  Splice slots(int position, GpuPool pool) {
    int at = pool.firstSlot(nodes.at());
    boolean isIn = Arrays.stream(poolOfGpu).anyMatch(of -> of == position);
    return isIn ? new Splice(at, nodes.removed(), nodes.added()) : new Splice(at, 0, 0);
  }
}
