package io.github.liquidscheduler.estimator.onnx;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the nodes of a tree ensemble make trees: every child stands behind its parent, so
 * that there is no cycle, and no tree is too deep. The runtime builds them by recursion.
 */
final class TreeTable {

  private static final int MOST_NODES = 1 << 20;
  private static final int DEEPEST = 1000;

  private final long[] trees;
  private final long[] leaves;
  private final Map<Place, Integer> rows = new HashMap<>();
  private final int[] depths;

  private TreeTable(long[] trees, long[] ids, long[] leaves) {
    this.trees = trees;
    this.leaves = leaves;
    depths = new int[ids.length];
    for (int row = 0; row < ids.length; row++) {
      rows.put(new Place(trees[row], ids[row]), row);
    }
  }

  private record Place(long tree, long node) {}

  /**
   * Checks the attributes of {@code node}, if it is an ensemble.
   *
   * @throws IllegalArgumentException if they are no table of trees
   */
  static void require(GraphNode node) {
    long[] trees = node.numbers("nodes_treeids");
    long[] ids = node.numbers("nodes_nodeids");
    long[] left = node.numbers("nodes_truenodeids");
    long[] right = node.numbers("nodes_falsenodeids");
    long[] leaves = node.numbers("nodes_modes");
    boolean isTold =
        trees.length == ids.length
            && left.length == ids.length
            && right.length == ids.length
            && leaves.length == ids.length;
    if (!isTold || ids.length > MOST_NODES) {
      throw new IllegalArgumentException(
          "a tree ensemble must say the same of all its nodes, and have up to " + MOST_NODES);
    }
    TreeTable table = new TreeTable(trees, ids, leaves);
    for (int row = 0; row < ids.length; row++) {
      table.descend(row, left[row]);
      table.descend(row, right[row]);
    }
  }

  private void descend(int row, long child) {
    if (leaves[row] != 0) {
      return;
    }
    @Nullable Integer below = rows.get(new Place(trees[row], child));
    if (below == null || below <= row) {
      throw new IllegalArgumentException(
          "node %d of tree %d must stand behind its parent, but does not"
              .formatted(child, trees[row]));
    }
    depths[below] = Math.max(depths[below], depths[row] + 1);
    if (depths[below] > DEEPEST) {
      throw new IllegalArgumentException("a tree may be %d deep, but is deeper".formatted(DEEPEST));
    }
  }
}
