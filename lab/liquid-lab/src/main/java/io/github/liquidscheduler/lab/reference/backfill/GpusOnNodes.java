package io.github.liquidscheduler.lab.reference.backfill;

import java.util.List;

/**
 * An equal number of GPUs on each of some nodes. The GPUs of a node are chosen at the start only.
 *
 * @param nodes the positions of the nodes, at least one
 * @param gpusEach the number of GPUs of each, at least 1
 */
public record GpusOnNodes(List<Integer> nodes, int gpusEach) {

  /**
   * Checks and copies the parts.
   *
   * @throws IllegalArgumentException if there is no node or no GPU
   */
  public GpusOnNodes {
    nodes = List.copyOf(nodes);
    if (nodes.isEmpty() || gpusEach < 1) {
      throw new IllegalArgumentException(
          "a placement needs at least 1 GPU on 1 node, but had %d on each of %s"
              .formatted(gpusEach, nodes));
    }
  }

  /** Returns the number of GPUs. */
  public int gpus() {
    return nodes.size() * gpusEach;
  }
}
