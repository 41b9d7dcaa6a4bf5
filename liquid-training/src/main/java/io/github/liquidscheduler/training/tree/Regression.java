package io.github.liquidscheduler.training.tree;

import io.github.liquidscheduler.training.onnx.TreeEnsemble;
import java.util.List;

/** A learned function: a constant, a weight per column, and trees whose leaves are added. */
@SuppressWarnings("ArrayRecordComponent")
public record Regression(float bias, float[] weights, List<TreeEnsemble.Node> trees) {

  /** Copies the trees. */
  public Regression {
    trees = List.copyOf(trees);
  }

  /** Returns the prediction for {@code row}, added up in the order in which ONNX adds. */
  public float predict(float[] row) {
    float sum = bias;
    for (int i = 0; i < weights.length; i++) {
      sum += weights[i] * row[i];
    }
    return sum + leaves(row);
  }

  private float leaves(float[] row) {
    float sum = 0;
    for (TreeEnsemble.Node tree : trees) {
      TreeEnsemble.Node node = tree;
      while (node instanceof TreeEnsemble.Split split) {
        node = row[split.feature()] <= split.threshold() ? split.atMost() : split.above();
      }
      sum += ((TreeEnsemble.Leaf) node).weights()[0];
    }
    return sum;
  }
}
