package io.github.liquidscheduler.lab.reference.backfill;

/**
 * Equal nodes in racks of equal size; the last rack may be smaller. One rack is a cluster without
 * racks, and one node is a plain number of GPUs.
 *
 * @param nodes the number of nodes, at least 1
 * @param gpusPerNode the GPUs of each, at least 1
 * @param nodesPerRack the nodes of each rack, at least 1; rack r begins at node r times as many
 */
public record NodeRacks(int nodes, int gpusPerNode, int nodesPerRack) {

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a number is less than 1
   */
  public NodeRacks {
    if (nodes < 1 || gpusPerNode < 1 || nodesPerRack < 1) {
      throw new IllegalArgumentException(
          "a cluster must have at least 1 node, 1 GPU per node and 1 node per rack, but had %d, %d, %d"
              .formatted(nodes, gpusPerNode, nodesPerRack));
    }
  }

  /** Returns a plain number of GPUs. */
  public static NodeRacks ofGpus(int gpus) {
    return new NodeRacks(1, gpus, 1);
  }

  /** Returns the number of GPUs. */
  public int gpus() {
    return Math.multiplyExact(nodes, gpusPerNode);
  }

  /** Returns true if a gang of this size is placed on a part of one node, not on whole nodes. */
  public boolean isOnOneNode(int gpus) {
    return gpus <= gpusPerNode;
  }

  /** Returns the number of nodes that a gang of this size takes. */
  public int nodesFor(int gpus) {
    return Math.ceilDiv(gpus, gpusPerNode);
  }

  /** Returns true if a gang of {@code count} nodes has to lie in one rack. */
  boolean isInOneRack(int count) {
    return count <= nodesPerRack;
  }
}
