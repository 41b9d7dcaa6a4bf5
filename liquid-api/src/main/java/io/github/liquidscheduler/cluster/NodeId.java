package io.github.liquidscheduler.cluster;

import io.github.liquidscheduler.text.Text;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a node, unique in its cluster.
 *
 * @param value the identity, not blank
 */
public record NodeId(String value) implements Comparable<NodeId> {

  /**
   * Checks the identity.
   *
   * @throws IllegalArgumentException if {@code value} is blank or not Unicode
   */
  public NodeId {
    Text.requireName(value, "a node id");
  }

  /** Returns the identity {@code value}. */
  public static NodeId of(String value) {
    return new NodeId(value);
  }

  // Written out: ids are compared and hashed at every step of every event.
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other || (other instanceof NodeId that && value.equals(that.value));
  }

  @Override
  public int hashCode() {
    return value.hashCode();
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
