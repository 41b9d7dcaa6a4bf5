package io.github.liquidscheduler.placement.capacity;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.job.JobSpec;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The positions of GPUs and pool slots of each node: the immutable part of an index, shared by its
 * copies. An entry is one slot of a node; those of a node are adjacent, and so are its GPUs.
 */
final class NodeLayout {

  /** The nodes and domains of the cluster. */
  final ClusterTopology topology;

  /** Which pools the nodes are in. */
  final PoolBuilder sorted;

  /** The nodes of the domains of each level but the last, that of single nodes. */
  final List<List<NodeRange>> rangesByLevel;

  /** The nodes by their labels. */
  final LabelIndex labels;

  /** The position of the first GPU of each node in the cluster; one more for the end. */
  final int[] firstGpu;

  /** The position of the pool of each GPU. */
  final int[] poolOfGpu;

  /** The NVLink group of each GPU. */
  final int[] groupOfGpu;

  /** The first entry of each node; one more for the end. */
  final int[] firstEntry;

  /** The position of the pool of each entry. */
  final int[] entryPool;

  /** The slot of each entry in its pool. */
  final int[] entrySlot;

  NodeLayout(PoolBuilder sorted, LabelIndex labels) {
    this.sorted = sorted;
    topology = sorted.topology;
    int nodes = topology.nodes().size();
    rangesByLevel = sorted.rangesByLevel;
    this.labels = labels;
    firstGpu = new int[nodes + 1];
    Arrays.setAll(firstGpu, topology::gpusBefore);
    poolOfGpu = sorted.poolOfGpu;
    groupOfGpu = sorted.groupOfGpu;
    firstEntry = new int[nodes + 1];
    List<int[]> pools = sorted.nodesOfPools();
    pools.forEach(nodeOf -> Arrays.stream(nodeOf).forEach(node -> firstEntry[node + 1]++));
    for (int node = 0; node < nodes; node++) {
      firstEntry[node + 1] += firstEntry[node];
    }
    entryPool = new int[firstEntry[nodes]];
    entrySlot = new int[entryPool.length];
    fillEntries(pools);
  }

  private void fillEntries(List<int[]> pools) {
    int[] next = firstEntry.clone();
    for (int pool = 0; pool < pools.size(); pool++) {
      int[] nodeOf = pools.get(pool);
      for (int slot = 0; slot < nodeOf.length; slot++) {
        int entry = next[nodeOf[slot]]++;
        entryPool[entry] = pool;
        entrySlot[entry] = slot;
      }
    }
  }

  /** Returns the position of the node that the GPU at a position in the cluster is on. */
  int nodeOfGpu(int position) {
    int found = Arrays.binarySearch(firstGpu, position);
    int node = found >= 0 ? found : -found - 2;
    while (firstGpu[node + 1] <= position) {
      node++;
    }
    return node;
  }

  /** Returns the nodes with these labels that a job does not exclude; null if these are all. */
  @Nullable BitSet nodesAllowedTo(JobSpec job, Map<String, String> labels) {
    @Nullable BitSet labelled = labels.isEmpty() ? null : this.labels.nodesWith(labels);
    return job.excludedNodes().isEmpty() ? labelled : without(job.excludedNodes(), labelled);
  }

  private BitSet without(Set<String> excluded, @Nullable BitSet nodes) {
    BitSet left = new BitSet(topology.nodes().size());
    if (nodes == null) {
      left.set(0, topology.nodes().size());
    } else {
      left.or(nodes);
    }
    for (String name : excluded) {
      NodeId node = NodeId.of(name);
      if (topology.contains(node)) {
        left.clear(topology.position(node));
      }
    }
    return left;
  }
}
