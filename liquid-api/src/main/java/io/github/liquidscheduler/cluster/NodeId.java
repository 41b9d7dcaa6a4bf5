package io.github.liquidscheduler.cluster;

import java.util.Objects;

/**
 * The identity of a node, unique in its cluster.
 *
 * @param value the identity, not blank
 */
public record NodeId(String value) implements Comparable<NodeId> {

  /**
   * Checks the identity.
   *
   * @throws IllegalArgumentException if {@code value} is blank
   */
  public NodeId {
    Objects.requireNonNull(value, "value");
    if (value.isBlank()) {
      throw new IllegalArgumentException("a node id must not be blank");
    }
  }

  /** Returns the identity {@code value}. */
  public static NodeId of(String value) {
    return new NodeId(value);
  }

  @Override
  public int compareTo(NodeId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
