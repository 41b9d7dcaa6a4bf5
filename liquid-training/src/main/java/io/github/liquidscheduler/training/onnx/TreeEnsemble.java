package io.github.liquidscheduler.training.onnx;

import com.google.common.collect.Streams;
import com.google.common.graph.Traverser;
import com.google.common.primitives.Floats;
import com.google.common.primitives.Longs;
import io.github.liquidscheduler.text.Count;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Regression trees whose leaves are added up, in the form that ONNX Runtime evaluates. A forest
 * divides its leaves by the number of trees; a boosted ensemble multiplies them by the learning
 * rate. Immutable.
 */
public final class TreeEnsemble {

  /** A place in a tree. */
  public sealed interface Node {}

  /**
   * A question: rows whose feature is at most the threshold go one way, the others the other way.
   * ONNX compares in single precision, so training in double precision must split between values
   * that are still apart as floats.
   *
   * @param feature the column to look at, counted from 0
   * @param threshold the greatest value that goes to {@code atMost}
   * @param atMost where rows at or below the threshold go
   * @param above where the others go
   */
  public record Split(int feature, float threshold, Node atMost, Node above) implements Node {}

  /**
   * An answer: what the tree adds, one number per target.
   *
   * @param weights the numbers; neither copied nor changed, so leave them alone
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Leaf(float... weights) implements Node {}

  private static final Traverser<Node> NODES =
      Traverser.forTree(
          node -> node instanceof Split split ? List.of(split.atMost(), split.above()) : List.of());

  private final float[] base;
  private final List<Node> trees;

  private TreeEnsemble(float[] base, List<Node> trees) {
    this.base = base;
    this.trees = trees;
  }

  /**
   * Returns the ensemble that predicts {@code base} plus what the trees add.
   *
   * @param base one number per target
   * @param trees the roots; every leaf has one number per target
   * @throws IllegalArgumentException if there is no tree or a leaf has the wrong length
   */
  public static TreeEnsemble of(float[] base, List<Node> trees) {
    if (trees.isEmpty()) {
      throw new IllegalArgumentException("an ensemble needs at least one tree");
    }
    TreeEnsemble ensemble = new TreeEnsemble(base.clone(), List.copyOf(trees));
    ensemble.nodes(Leaf.class).forEach(leaf -> requireTargets(leaf, base.length));
    return ensemble;
  }

  /** Returns the number of targets. */
  public int targets() {
    return base.length;
  }

  int highestFeature() {
    return nodes(Split.class).mapToInt(Split::feature).max().orElse(-1);
  }

  NodeAttributes attributes() {
    Columns columns = new Columns();
    for (int tree = 0; tree < trees.size(); tree++) {
      columns.addTree(tree, trees.get(tree));
    }
    return columns
        .attributes()
        .number("n_targets", base.length)
        .reals("base_values", base)
        .text("aggregate_function", "SUM")
        .text("post_transform", "NONE");
  }

  private <T extends Node> Stream<T> nodes(Class<T> type) {
    return trees.stream()
        .flatMap(tree -> Streams.stream(NODES.depthFirstPreOrder(tree)))
        .filter(type::isInstance)
        .map(type::cast);
  }

  private static void requireTargets(Leaf leaf, int targets) {
    if (leaf.weights().length != targets) {
      throw new IllegalArgumentException(
          "a leaf must have " + Count.of(targets, "number") + ", but had " + leaf.weights().length);
    }
  }

  /** The trees as ONNX wants them: one long column per property of a node. */
  private static final class Columns {
    private final List<Long> trees = new ArrayList<>();
    private final List<Long> nodes = new ArrayList<>();
    private final List<Long> features = new ArrayList<>();
    private final List<Float> thresholds = new ArrayList<>();
    private final List<String> modes = new ArrayList<>();
    private final List<Long> whenTrue = new ArrayList<>();
    private final List<Long> whenFalse = new ArrayList<>();
    private final List<Long> leafTrees = new ArrayList<>();
    private final List<Long> leafNodes = new ArrayList<>();
    private final List<Long> leafTargets = new ArrayList<>();
    private final List<Float> leafWeights = new ArrayList<>();

    void addTree(long tree, Node root) {
      addNode(tree, 0, root);
    }

    /** Adds a node and all below it; returns the number of the next free node. */
    private long addNode(long tree, long number, Node node) {
      return switch (node) {
        case Leaf leaf -> addLeaf(tree, number, leaf);
        case Split split -> addSplit(tree, number, split);
      };
    }

    private long addSplit(long tree, long number, Split split) {
      int row = addRow(tree, number, split.feature(), split.threshold(), "BRANCH_LEQ");
      whenTrue.set(row, number + 1);
      long above = addNode(tree, number + 1, split.atMost());
      whenFalse.set(row, above);
      return addNode(tree, above, split.above());
    }

    private long addLeaf(long tree, long number, Leaf leaf) {
      addRow(tree, number, 0, 0, "LEAF");
      int named = leafTargets.size();
      for (int target = 0; target < leaf.weights().length; target++) {
        // A target that is not named gets nothing.
        if (leaf.weights()[target] != 0) {
          addWeight(tree, number, target, leaf.weights()[target]);
        }
      }
      if (leafTargets.size() == named) {
        addWeight(tree, number, 0, 0); // A leaf must name at least one.
      }
      return number + 1;
    }

    private void addWeight(long tree, long number, int target, float weight) {
      leafTrees.add(tree);
      leafNodes.add(number);
      leafTargets.add((long) target);
      leafWeights.add(weight);
    }

    private int addRow(long tree, long number, long feature, float threshold, String mode) {
      trees.add(tree);
      nodes.add(number);
      features.add(feature);
      thresholds.add(threshold);
      modes.add(mode);
      whenTrue.add(0L);
      whenFalse.add(0L);
      return whenTrue.size() - 1;
    }

    NodeAttributes attributes() {
      return NodeAttributes.inDomain("ai.onnx.ml")
          .numbers("nodes_treeids", Longs.toArray(trees))
          .numbers("nodes_nodeids", Longs.toArray(nodes))
          .numbers("nodes_featureids", Longs.toArray(features))
          .reals("nodes_values", Floats.toArray(thresholds))
          .texts("nodes_modes", modes)
          .numbers("nodes_truenodeids", Longs.toArray(whenTrue))
          .numbers("nodes_falsenodeids", Longs.toArray(whenFalse))
          .numbers("target_treeids", Longs.toArray(leafTrees))
          .numbers("target_nodeids", Longs.toArray(leafNodes))
          .numbers("target_ids", Longs.toArray(leafTargets))
          .reals("target_weights", Floats.toArray(leafWeights));
    }
  }
}
