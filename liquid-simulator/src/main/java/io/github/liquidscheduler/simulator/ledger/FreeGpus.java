package io.github.liquidscheduler.simulator.ledger;

import io.github.liquidscheduler.cluster.ClusterTopology;
import java.util.Arrays;

/**
 * The free GPUs of each node, and the number of nodes by size and free GPUs, so that fragmentation
 * costs O(GPUs of a node) and not O(nodes).
 */
final class FreeGpus {

  private final int[] free;
  private final int[] sizeClass;
  private final int[][] nodesByFree;
  private int total;

  /** Makes the books of a cluster in which every GPU is free. */
  FreeGpus(ClusterTopology topology) {
    int[] sizes = sizesOf(topology);
    int[] classes = Arrays.stream(sizes).distinct().sorted().toArray();
    nodesByFree = Arrays.stream(classes).mapToObj(size -> new int[size + 1]).toArray(int[][]::new);
    free = sizes;
    sizeClass = new int[sizes.length];
    for (int node = 0; node < sizes.length; node++) {
      sizeClass[node] = Arrays.binarySearch(classes, sizes[node]);
      nodesByFree[sizeClass[node]][sizes[node]]++;
      total += sizes[node];
    }
  }

  /** Returns the free GPUs of all nodes. */
  int total() {
    return total;
  }

  /** Returns the free GPUs of the node at this position. */
  int on(int node) {
    return free[node];
  }

  void set(int node, int gpus) {
    int[] histogram = nodesByFree[sizeClass[node]];
    histogram[free[node]]--;
    histogram[gpus]++;
    total += gpus - free[node];
    free[node] = gpus;
  }

  /**
   * Returns the free GPUs on nodes that are too full for their part of a gang of {@code gpus}: for
   * all of it, or to take part with all GPUs they have if the gang needs several nodes.
   */
  long tooScattered(int gpus) {
    long scattered = 0;
    for (int[] histogram : nodesByFree) {
      int part = Math.min(gpus, histogram.length - 1);
      for (int on = 1; on < part; on++) {
        scattered += (long) on * histogram[on];
      }
    }
    return scattered;
  }

  private static int[] sizesOf(ClusterTopology topology) {
    return topology.nodes().stream().mapToInt(node -> node.gpus().size()).toArray();
  }
}
