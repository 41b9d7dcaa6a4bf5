package io.github.liquidscheduler.placement.timeline;

/**
 * Equal nodes in racks of equal size; the last rack may be smaller. One rack is a cluster without
 * racks, and one node is a cluster that is nothing but a number of GPUs.
 *
 * @param nodes how many nodes, at least 1
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

  /** Returns a cluster that is nothing but a number of GPUs. */
  public static NodeRacks ofGpus(int gpus) {
    return new NodeRacks(1, gpus, 1);
  }

  /** Returns the number of GPUs. */
  public int gpus() {
    return Math.multiplyExact(nodes, gpusPerNode);
  }

  /** Returns whether a gang of so many GPUs shares a node, and does not take whole ones. */
  public boolean isOnOneNode(int gpus) {
    return gpus <= gpusPerNode;
  }

  /** Returns how many nodes a gang of so many GPUs takes. */
  public int nodesFor(int gpus) {
    return Math.ceilDiv(gpus, gpusPerNode);
  }

  /** Returns whether a gang of so many nodes has to lie in one rack. */
  boolean isInOneRack(int count) {
    return count <= nodesPerRack;
  }
}
