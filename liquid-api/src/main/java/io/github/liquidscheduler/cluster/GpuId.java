package io.github.liquidscheduler.cluster;

import java.util.Objects;

/**
 * The identity of a GPU: the node and the number of the device on it.
 *
 * @param index the number of the device on the node, from 0
 */
public record GpuId(NodeId node, int index) {

  /**
   * Checks the identity.
   *
   * @throws IllegalArgumentException if {@code index} is negative
   */
  public GpuId {
    Objects.requireNonNull(node, "node");
    if (index < 0) {
      throw new IllegalArgumentException(
          "a GPU index must not be negative, but was " + index + ", on node '" + node + "'");
    }
  }

  /** Returns the GPU {@code index} of the node {@code node}. */
  public static GpuId of(String node, int index) {
    return new GpuId(NodeId.of(node), index);
  }

  /** Returns the node and index, such as {@code n7:3}. */
  @Override
  public String toString() {
    return node + ":" + index;
  }
}
