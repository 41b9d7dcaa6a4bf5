package io.github.liquidscheduler.estimator.onnx;

import io.github.liquidscheduler.training.onnx.OnnxGraph;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Small models to test with. */
public final class Models {
  private Models() {}

  public static ModelMetadata metadata(int features) {
    List<Feature> columns =
        IntStream.range(0, features).mapToObj(i -> Feature.plain("f" + i, "1")).toList();
    return ModelMetadata.of("retained_speed", "1", columns)
        .trainedOn("ab12", "mae=0.04")
        .withNote("origin", "a test");
  }

  /** Returns a model that answers the sum of its features, each times {@code weight}. */
  static byte[] weightedSum(int features, float weight) {
    OnnxGraph graph = new OnnxGraph(features);
    float[] weights = new float[features];
    Arrays.fill(weights, weight);
    return graph.toBytes(graph.dense(graph.input(), weights, new float[1]), metadata(features));
  }
}
