package io.github.liquidscheduler.estimator.onnx;

import io.github.liquidscheduler.training.onnx.OnnxGraph;
import java.util.Arrays;

/** Small models to test with. */
public final class Models {
  private Models() {}

  public static ModelMetadata metadata(int features) {
    return builder(features).build();
  }

  static ModelMetadata.Builder builder(int features) {
    ModelMetadata.Builder builder =
        ModelMetadata.builder("retained_speed", "1")
            .trainingDataHash("ab12")
            .heldOutError("mae=0.04")
            .note("origin", "a test");
    for (int i = 0; i < features; i++) {
      builder.feature(Feature.plain("f" + i, "1"));
    }
    return builder;
  }

  /** Returns a model that answers the sum of its features, each times {@code weight}. */
  static byte[] weightedSum(int features, float weight) {
    OnnxGraph graph = new OnnxGraph(features);
    float[] weights = new float[features];
    Arrays.fill(weights, weight);
    return graph.toBytes(graph.dense(graph.input(), weights, new float[1]), metadata(features));
  }
}
