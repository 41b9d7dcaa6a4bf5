package io.github.liquidscheduler.lab.reference.pollux;

import io.github.liquidscheduler.lab.reference.pollux.NodeAllocation.Part;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** The free GPUs of each node while a plan is made. */
final class NodePool {

  private final int[] free;

  NodePool(int nodes, int gpusPerNode, Collection<NodeAllocation> held) {
    free = new int[nodes];
    Arrays.fill(free, gpusPerNode);
    held.forEach(allocation -> allocation.takeFrom(free));
  }

  /** Takes GPUs of the nodes that have most free, as many of each as are there. */
  NodeAllocation takeFromEmptiest(int gpus) {
    List<Part> parts = new ArrayList<>();
    for (int left = gpus; left > 0; ) {
      int node = emptiest();
      int taken = Math.min(left, free[node]);
      parts.add(new Part(node, taken));
      free[node] -= taken;
      left -= taken;
    }
    return new NodeAllocation(parts);
  }

  private int emptiest() {
    int best = 0;
    for (int node = 1; node < free.length; node++) {
      best = free[node] > free[best] ? node : best;
    }
    return best;
  }
}
