package io.github.liquidscheduler.lab.reference.pollux;

/**
 * A cluster of equal nodes.
 *
 * @param nodes the number of nodes, at least 1
 * @param gpusPerNode the GPUs of each, at least 1
 */
public record GoodputCluster(int nodes, int gpusPerNode) {

  /** The cluster of the published numbers: 16 nodes of four T4. */
  public static final GoodputCluster PUBLISHED = new GoodputCluster(16, 4);

  /**
   * Checks the sizes.
   *
   * @throws IllegalArgumentException if a size is less than 1
   */
  public GoodputCluster {
    if (nodes < 1 || gpusPerNode < 1) {
      throw new IllegalArgumentException(
          "a cluster must have at least 1 node of at least 1 GPU, but had %d of %d"
              .formatted(nodes, gpusPerNode));
    }
  }

  /** Returns the number of GPUs. */
  public int gpus() {
    return nodes * gpusPerNode;
  }
}
