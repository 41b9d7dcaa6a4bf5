package io.github.liquidscheduler.lab.reference.lucid;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Equal nodes, of which a job gets as few as can be: up to a node's GPUs on the node with the
 * fewest that are enough; more on empty nodes, and the rest on one more. Mutable.
 */
final class ConsolidatedNodes {

  private final int[] free;
  private final int gpusPerNode;

  ConsolidatedNodes(int nodes, int gpusPerNode) {
    free = new int[nodes];
    this.gpusPerNode = gpusPerNode;
    Arrays.fill(free, gpusPerNode);
  }

  int gpus() {
    return free.length * gpusPerNode;
  }

  /** Places a job, or returns false. */
  boolean place(LucidJob job) {
    List<NodeGpus> parts = job.gpus() <= gpusPerNode ? one(job.gpus()) : whole(job.gpus());
    parts.forEach(part -> free[part.node()] -= part.gpus());
    job.place(parts);
    return !parts.isEmpty();
  }

  void release(LucidJob job) {
    job.parts().forEach(part -> free[part.node()] += part.gpus());
    job.place(List.of());
  }

  private List<NodeGpus> one(int gpus) {
    return IntStream.range(0, free.length)
        .filter(node -> free[node] >= gpus)
        .boxed()
        .min(Comparator.comparingInt(node -> free[node]))
        .map(node -> List.of(new NodeGpus(node, gpus)))
        .orElse(List.of());
  }

  /** Returns empty nodes and, for the rest, the one that comes next in the order of free GPUs. */
  private List<NodeGpus> whole(int gpus) {
    List<Integer> emptiest =
        IntStream.range(0, free.length)
            .boxed()
            .sorted(Comparator.comparingInt((Integer node) -> free[node]).reversed())
            .toList();
    List<NodeGpus> parts = new ArrayList<>();
    int left = gpus;
    for (int node : emptiest) {
      int part = Math.min(left, gpusPerNode);
      if (part == 0 || free[node] < part) {
        break;
      }
      parts.add(new NodeGpus(node, part));
      left -= part;
    }
    return left == 0 ? parts : List.of();
  }

  /** GPUs of a node. */
  record NodeGpus(int node, int gpus) {}
}
