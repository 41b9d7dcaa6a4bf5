package io.github.liquidscheduler.training.resource;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import io.github.liquidscheduler.estimator.onnx.ModelMetadata;
import io.github.liquidscheduler.estimator.task.ResourceSample;
import io.github.liquidscheduler.estimator.task.ResourceTarget;
import io.github.liquidscheduler.estimator.task.regression.FeatureSchema;
import io.github.liquidscheduler.estimator.task.regression.ResourceModel;
import io.github.liquidscheduler.text.Count;
import io.github.liquidscheduler.training.onnx.GraphValue;
import io.github.liquidscheduler.training.onnx.OnnxGraph;
import io.github.liquidscheduler.training.onnx.TreeEnsemble;
import io.github.liquidscheduler.training.tree.Regression;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Makes a model of resource needs from samples: the same samples and seed make the same file. Two
 * regressions per target that has at least {@value #LEAST_SAMPLES} measurements, as {@link
 * ResourceModel} describes. Uses all processors.
 */
public final class ResourceTrainer {
  /** The fewest measurements of a target from which it is learned. */
  public static final int LEAST_SAMPLES = 10;

  private final long seed;

  /** Makes a trainer whose random choices follow from {@code seed}. */
  public ResourceTrainer(long seed) {
    this.seed = seed;
  }

  /**
   * Returns the model learned from {@code samples}.
   *
   * @throws IllegalArgumentException if no target was measured often enough
   */
  public TrainedResources train(List<ResourceSample> samples) {
    List<ResourceTarget> targets = measured(samples);
    FeatureSchema schema = Vocabulary.of(samples);
    int count = targets.size();
    List<FittedTarget> fitted =
        IntStream.range(0, 2 * count)
            .parallel()
            .mapToObj(
                i ->
                    new TargetTrainer(schema, targets.get(i % count), i < count, samples, seed)
                        .train())
            .toList();
    List<Regression> regressions = fitted.stream().map(FittedTarget::regression).toList();
    List<String> report = report(targets, fitted);
    ModelMetadata metadata = metadata(schema, targets, fitted, samples, report);
    return new TrainedResources(onnx(schema.width(), regressions, metadata), regressions, report);
  }

  private static List<ResourceTarget> measured(List<ResourceSample> samples) {
    List<ResourceTarget> targets =
        Arrays.stream(ResourceTarget.values())
            .filter(
                target ->
                    samples.stream().filter(sample -> sample.value(target).isPresent()).count()
                        >= LEAST_SAMPLES)
            .toList();
    if (targets.isEmpty()) {
      throw new IllegalArgumentException(
          "at least %d rows must measure the same target, but of %s none did"
              .formatted(LEAST_SAMPLES, Count.of(samples.size(), "row")));
    }
    return targets;
  }

  private static List<String> report(List<ResourceTarget> targets, List<FittedTarget> fitted) {
    List<String> report = new ArrayList<>();
    for (int i = 0; i < fitted.size(); i++) {
      ResourceTarget target = targets.get(i % targets.size());
      report.add(
          String.format(
              Locale.ROOT,
              "%s.%s=%.4f(%s)",
              target.column(),
              i < targets.size() ? "known" : "unseen",
              fitted.get(i).calibration().error(),
              fitted.get(i).learner()));
    }
    return report;
  }

  private static ModelMetadata metadata(
      FeatureSchema schema,
      List<ResourceTarget> targets,
      List<FittedTarget> fitted,
      List<ResourceSample> samples,
      List<String> report) {
    ModelMetadata metadata =
        ModelMetadata.of(ResourceModel.TARGET, ResourceModel.UNIT, schema.features())
            .trainedOn(hash(samples), String.join(" ", report))
            .withNote(
                ResourceModel.TARGETS_NOTE,
                String.join(" ", targets.stream().map(ResourceTarget::column).toList()))
            .withNote("samples", Integer.toString(samples.size()));
    for (int i = 0; i < fitted.size(); i++) {
      ResourceTarget target = targets.get(i % targets.size());
      metadata =
          metadata.withNote(
              ResourceModel.calibrationNote(target, i < targets.size()),
              fitted.get(i).calibration().toLine());
    }
    return metadata;
  }

  /** One product with all weights, one ensemble with all trees: few nodes are fast nodes. */
  private static byte[] onnx(int width, List<Regression> regressions, ModelMetadata metadata) {
    OnnxGraph graph = new OnnxGraph(width);
    int outputs = regressions.size();
    float[] weights = new float[width * outputs];
    float[] bias = new float[outputs];
    List<TreeEnsemble.Node> trees = new ArrayList<>();
    for (int output = 0; output < outputs; output++) {
      Regression regression = regressions.get(output);
      bias[output] = regression.bias();
      for (int column = 0; column < width; column++) {
        weights[output * width + column] = regression.weights()[column];
      }
      for (TreeEnsemble.Node tree : regression.trees()) {
        trees.add(answering(tree, output, outputs));
      }
    }
    GraphValue answer = graph.dense(graph.input(), weights, bias);
    if (!trees.isEmpty()) {
      TreeEnsemble ensemble = TreeEnsemble.of(new float[outputs], trees);
      answer = graph.sum(answer, graph.trees(graph.input(), ensemble));
    }
    return graph.toBytes(answer, metadata);
  }

  /** The tree with leaves that answer one of many outputs. */
  private static TreeEnsemble.Node answering(TreeEnsemble.Node node, int output, int outputs) {
    return switch (node) {
      case TreeEnsemble.Leaf leaf -> {
        float[] weights = new float[outputs];
        weights[output] = leaf.weights()[0];
        yield new TreeEnsemble.Leaf(weights);
      }
      case TreeEnsemble.Split split ->
          new TreeEnsemble.Split(
              split.feature(),
              split.threshold(),
              answering(split.atMost(), output, outputs),
              answering(split.above(), output, outputs));
    };
  }

  private static String hash(List<ResourceSample> samples) {
    Hasher hasher = Hashing.sha256().newHasher();
    for (ResourceSample sample : samples) {
      hasher.putString(String.join(",", ResourceCsv.cells(sample)) + "\n", StandardCharsets.UTF_8);
    }
    return hasher.hash().toString();
  }
}
