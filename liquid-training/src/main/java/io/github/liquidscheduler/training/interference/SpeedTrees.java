package io.github.liquidscheduler.training.interference;

import io.github.liquidscheduler.estimator.onnx.Feature;
import io.github.liquidscheduler.estimator.onnx.ModelMetadata;
import io.github.liquidscheduler.estimator.workload.PairFeatures;
import io.github.liquidscheduler.training.onnx.GraphValue;
import io.github.liquidscheduler.training.onnx.OnnxGraph;
import io.github.liquidscheduler.training.onnx.TreeEnsemble;
import io.github.liquidscheduler.training.tree.Regression;
import io.github.liquidscheduler.training.tree.TreeLearner;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Two ensembles of boosted trees that predict how far a pair's retained speed is from the GPU
 * model's mean: one for pairs of familiar classes, and a coarse one, which learns from examples
 * whose history is hidden, for all others. No tree rises in a column of load.
 */
final class SpeedTrees implements SpeedModel {
  private static final Set<Integer> LOADS =
      IntStream.range(Scaling.loads(), PairFeatures.width())
          .boxed()
          .collect(Collectors.toUnmodifiableSet());

  private static final TreeLearner FAMILIAR = falling(TreeLearner.boosted(300, 5, 0.05));
  private static final TreeLearner GENERAL =
      falling(TreeLearner.boosted(150, 3, 0.05).leastExamples(40));

  private final Scaling scaling;
  private final SpeedExamples examples;
  private final long seed;
  private @Nullable Regression familiar;
  private @Nullable Regression general;

  /** Creates the model; each ensemble is grown when it is first asked. */
  SpeedTrees(SpeedExamples examples, long seed) {
    this.examples = examples;
    this.seed = seed;
    scaling = new Scaling(examples.familiar());
  }

  private static TreeLearner falling(TreeLearner learner) {
    return learner.falling(LOADS, PairFeatures.width());
  }

  private Regression familiar() {
    if (familiar == null) {
      familiar = grown(FAMILIAR, examples.familiar());
    }
    return familiar;
  }

  private Regression general() {
    if (general == null) {
      general = grown(GENERAL, examples.general());
    }
    return general;
  }

  private Regression grown(TreeLearner learner, List<Example> from) {
    float[][] rows = new float[from.size()][];
    float[] labels = new float[from.size()];
    for (int i = 0; i < rows.length; i++) {
      double[] features = from.get(i).features();
      rows[i] = scaling.row(features);
      labels[i] = (float) (from.get(i).speed() - features[PairFeatures.MEAN_RETAINED]);
    }
    return learner.fit(new io.github.liquidscheduler.training.tree.Examples(rows, labels), seed);
  }

  @Override
  public double familiar(double[] features) {
    return features[PairFeatures.MEAN_RETAINED] + familiar().predict(scaling.row(features));
  }

  @Override
  public double strange(double[] features) {
    return Estimates.averaged(
        features[PairFeatures.MEAN_RETAINED] + general().predict(scaling.row(features)), features);
  }

  @Override
  public List<Feature> columns() {
    return scaling.columns();
  }

  @Override
  public byte[] toBytes(ModelMetadata metadata) {
    OnnxGraph graph = new OnnxGraph(PairFeatures.width());
    GraphValue known = graph.trees(graph.input(), ensemble(familiar()));
    GraphValue unknown = graph.trees(graph.input(), ensemble(general()));
    GraphValue both = graph.concatenated(List.of(known, unknown));
    return graph.toBytes(Estimates.answers(graph, both, 1, 1, 0), metadata);
  }

  private static TreeEnsemble ensemble(Regression regression) {
    return TreeEnsemble.of(new float[] {regression.bias()}, regression.trees());
  }
}
