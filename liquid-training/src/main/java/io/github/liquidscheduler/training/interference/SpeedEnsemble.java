package io.github.liquidscheduler.training.interference;

import io.github.liquidscheduler.estimator.onnx.Feature;
import io.github.liquidscheduler.estimator.onnx.ModelMetadata;
import io.github.liquidscheduler.training.neural.TrainingPlan;
import io.github.liquidscheduler.training.onnx.GraphValue;
import io.github.liquidscheduler.training.onnx.OnnxGraph;
import java.util.ArrayList;
import java.util.List;

/**
 * Two groups of networks. One may learn by heart what pairs of familiar classes do. The other is
 * strongly penalised, sees noisy inputs, and trains on examples whose history is hidden, so that it
 * predicts families that were not measured.
 */
final class SpeedEnsemble implements SpeedModel {
  private static final int FAMILIAR_MEMBERS = 2;
  private static final int GENERAL_MEMBERS = 2;

  private static final SpeedNetwork.Design FAMILIAR =
      new SpeedNetwork.Design(List.of(24, 12), 1e-5, 0, new TrainingPlan(150, 3000, 64, 3e-3));
  private static final SpeedNetwork.Design GENERAL =
      new SpeedNetwork.Design(List.of(16), 1e-3, 0.1, new TrainingPlan(40, 2000, 64, 3e-3));

  private final Scaling scaling;
  private final SpeedExamples examples;
  private final long seed;
  private List<SpeedNetwork> familiar = List.of();
  private List<SpeedNetwork> general = List.of();

  /** Creates an ensemble; each group is trained when it is first asked. */
  SpeedEnsemble(SpeedExamples examples, long seed) {
    this.examples = examples;
    this.seed = seed;
    scaling = new Scaling(examples.familiar());
  }

  private List<SpeedNetwork> familiar() {
    if (familiar.isEmpty()) {
      familiar = networks(FAMILIAR, FAMILIAR_MEMBERS, scaling, examples.familiar(), seed);
    }
    return familiar;
  }

  private List<SpeedNetwork> general() {
    if (general.isEmpty()) {
      general = networks(GENERAL, GENERAL_MEMBERS, scaling, examples.general(), seed);
    }
    return general;
  }

  private static List<SpeedNetwork> networks(
      SpeedNetwork.Design design, int count, Scaling scaling, List<Example> examples, long seed) {
    List<SpeedNetwork> networks = new ArrayList<>();
    for (int member = 0; member < count; member++) {
      networks.add(SpeedNetwork.trained(design, scaling, examples, seed + member));
    }
    return networks;
  }

  @Override
  public double familiar(double[] features) {
    return mean(familiar(), features);
  }

  @Override
  public double strange(double[] features) {
    return Estimates.averaged(mean(general(), features), features);
  }

  private static double mean(List<SpeedNetwork> networks, double[] features) {
    double sum = 0;
    for (SpeedNetwork network : networks) {
      sum += network.predict(features);
    }
    return sum / networks.size();
  }

  @Override
  public List<Feature> columns() {
    return scaling.columns();
  }

  @Override
  public byte[] toBytes(ModelMetadata metadata) {
    int width = scaling.columns().size();
    OnnxGraph graph = new OnnxGraph(width);
    GraphValue context = graph.columns(graph.input(), 0, Scaling.context());
    GraphValue scaled =
        graph.standardized(context, scaling.means(), scaling.scales(), Scaling.LIMIT);
    GraphValue known = SpeedNetwork.exportTo(graph, scaled, familiar());
    GraphValue unknown = SpeedNetwork.exportTo(graph, scaled, general());
    GraphValue sigmoids = graph.sigmoid(graph.concatenated(List.of(known, unknown)));
    return graph.toBytes(
        Estimates.answers(graph, sigmoids, familiar().size(), (float) SpeedNetwork.SPAN, -1),
        metadata);
  }
}
