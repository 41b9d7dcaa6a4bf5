package io.github.liquidscheduler.cluster;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The positions of nodes. Nodes have numbers that they keep while others come and go, so that the
 * positions after a change are those of before with a part moved by one, and the table of names is
 * shared. Immutable.
 */
final class NodePositions {

  private static final int NOT_THERE = -1;
  private static final int SPARE = 16;

  private final Map<NodeId, Integer> numbers;
  // By number; -1 is a node that has left.
  private final int[] positions;

  private NodePositions(Map<NodeId, Integer> numbers, int[] positions) {
    this.numbers = numbers;
    this.positions = positions;
  }

  /** Returns the positions of nodes that stand in this order. */
  static NodePositions of(List<Node> nodes) {
    Map<NodeId, Integer> numbers = new LinkedHashMap<>();
    int[] positions = new int[nodes.size()];
    for (Node node : nodes) {
      positions[numbers.size()] = numbers.size();
      numbers.put(node.id(), numbers.size());
    }
    return new NodePositions(numbers, positions);
  }

  /** Returns the position of a node, or -1 if it is not there. */
  int of(NodeId node) {
    @Nullable Integer number = numbers.get(node);
    return number == null ? NOT_THERE : positions[number];
  }

  /**
   * Returns the positions after a node has come that was not there. Constant but for the moving of
   * numbers if a node of that name was there before, otherwise O(nodes).
   */
  NodePositions with(NodeId node, int position) {
    @Nullable Integer number = numbers.get(node);
    if (number == null) {
      Map<NodeId, Integer> more = new LinkedHashMap<>(numbers);
      more.put(node, positions.length);
      int[] moved = Arrays.copyOf(positions, positions.length + 1);
      moved[positions.length] = NOT_THERE;
      return new NodePositions(more, moved).with(node, position);
    }
    int[] moved = moved(position, 1);
    moved[number] = position;
    return new NodePositions(numbers, moved);
  }

  /** Returns the positions after the node at a position has left. */
  NodePositions without(NodeId node, int position) {
    int[] moved = moved(position, -1);
    moved[Objects.requireNonNull(numbers.get(node))] = NOT_THERE;
    return new NodePositions(numbers, moved);
  }

  /** Returns true if most of the names are of nodes that left, so that forgetting them pays. */
  boolean isMostlyGone(int nodes) {
    return positions.length > 2 * nodes + SPARE;
  }

  private int[] moved(int from, int by) {
    int[] moved = positions.clone();
    for (int number = 0; number < moved.length; number++) {
      if (moved[number] >= from) {
        moved[number] += by;
      }
    }
    return moved;
  }
}
