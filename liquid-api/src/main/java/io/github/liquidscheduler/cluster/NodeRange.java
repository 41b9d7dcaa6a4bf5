package io.github.liquidscheduler.cluster;

/**
 * The nodes of a domain: in {@link ClusterTopology#nodes()} they stand side by side.
 *
 * @param first the position of the first node, at least 0
 * @param end the position after the last node, at least {@code first}
 */
public record NodeRange(int first, int end) {

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException if the range is not {@code 0 <= first <= end}
   */
  public NodeRange {
    if (first < 0 || end < first) {
      throw new IllegalArgumentException(
          "a node range must be 0 <= first <= end, but was " + first + " to " + end);
    }
  }

  /** Returns the number of nodes. */
  public int size() {
    return end - first;
  }

  /** Returns true if the node at {@code position} is in the range. */
  public boolean contains(int position) {
    return first <= position && position < end;
  }

  /** Returns true if some node is in both ranges. */
  public boolean overlaps(NodeRange other) {
    return first < other.end && other.first < end;
  }

  /**
   * Returns the nodes that are in both ranges.
   *
   * @throws IllegalArgumentException if there is a gap between the ranges
   */
  public NodeRange within(NodeRange other) {
    return new NodeRange(Math.max(first, other.first), Math.min(end, other.end));
  }
}
