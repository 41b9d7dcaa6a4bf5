package io.github.liquidscheduler.training.interference;

import io.github.liquidscheduler.estimator.workload.PairFeatures;
import io.github.liquidscheduler.training.onnx.GraphValue;
import io.github.liquidscheduler.training.onnx.OnnxGraph;
import java.util.Arrays;
import java.util.List;

/**
 * The average of what was learned and of the estimates in a row, all alike: they err in different
 * ways about families that were never seen, and no weights can be learned from so few families.
 */
final class Estimates {
  private static final int SOURCES = 1 + PairFeatures.ESTIMATES;

  private static final float PART = 1f / SOURCES;

  private Estimates() {}

  static double averaged(double learned, double[] features) {
    double sum = learned;
    for (int column = Scaling.context(); column < Scaling.loads(); column++) {
      sum += features[column];
    }
    return sum / SOURCES;
  }

  /**
   * Turns what models say into two answers, in one operation: the first models' mean for familiar
   * classes; for unseen classes the average of the others' mean and the estimates. What models say
   * is {@code factor · value + shift}, relative to the GPU model's mean.
   */
  static GraphValue answers(
      OnnxGraph graph, GraphValue values, int familiar, float factor, float shift) {
    GraphValue columns = graph.columns(graph.input(), PairFeatures.MEAN_RETAINED, Scaling.loads());
    int width = values.width() + columns.width();
    float[] weights = new float[2 * width];
    Arrays.fill(weights, 0, familiar, factor / familiar);
    int unseen = values.width() - familiar;
    Arrays.fill(weights, width + familiar, width + values.width(), PART * factor / unseen);
    weights[values.width()] = 1;
    weights[width + values.width()] = PART;
    Arrays.fill(weights, 2 * width - PairFeatures.ESTIMATES, 2 * width, PART);
    return graph.dense(
        graph.concatenated(List.of(values, columns)), weights, new float[] {shift, PART * shift});
  }
}
