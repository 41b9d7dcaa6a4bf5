package io.github.liquidscheduler.training.interference;

import io.github.liquidscheduler.estimator.workload.PairFeatures;
import io.github.liquidscheduler.training.neural.Parameters;
import io.github.liquidscheduler.training.neural.Perceptron;
import io.github.liquidscheduler.training.neural.TrainingPlan;
import io.github.liquidscheduler.training.onnx.GraphValue;
import io.github.liquidscheduler.training.onnx.OnnxGraph;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A network that predicts how far a pair's retained speed is from the GPU model's mean. The
 * perceptron sees the context only. Where load was measured, it also says how steeply each kind of
 * load counts, and those slopes are cut off below zero: so the answer cannot rise with load, by
 * construction and not by correction.
 */
final class SpeedNetwork {
  /** The answer is {@code mean + SPAN · sigmoid - 1}: it reaches a little beyond what can be. */
  static final double SPAN = 2.1;

  private static final double HUBER = 0.05;
  private static final int MEAN_COLUMN = PairFeatures.MEAN_RETAINED;

  /** How a network is built and trained. */
  record Design(List<Integer> hidden, double penalty, double inputNoise, TrainingPlan plan) {}

  private final Scaling scaling;
  private final Parameters parameters = new Parameters();
  private final Perceptron perceptron;
  private final int slopes;

  private SpeedNetwork(Design design, Scaling scaling, Random random) {
    this.scaling = scaling;
    slopes = scaling.knowsLoad() ? PairFeatures.LOADS : 0;
    IntStream hidden = design.hidden().stream().mapToInt(Integer::intValue);
    int[] widths =
        IntStream.concat(
                IntStream.concat(IntStream.of(Scaling.context()), hidden), IntStream.of(1 + slopes))
            .toArray();
    perceptron = new Perceptron(parameters, widths, design.penalty(), random);
  }

  static SpeedNetwork trained(Design design, Scaling scaling, List<Example> examples, long seed) {
    Random random = new Random(seed);
    SpeedNetwork network = new SpeedNetwork(design, scaling, random);
    design
        .plan()
        .run(
            examples.size(),
            network.parameters,
            random,
            example -> network.learn(examples.get(example), design.inputNoise(), random));
    return network;
  }

  double predict(double[] features) {
    return features[MEAN_COLUMN] + SPAN * Perceptron.sigmoid(forward(features, 0, null)) - 1;
  }

  Perceptron perceptron() {
    return perceptron;
  }

  private double forward(double[] features, double noise, @Nullable Random random) {
    double[] input = perceptron.input();
    scaling.writeContext(features, input);
    if (random != null && noise > 0) {
      for (int i = 0; i < input.length; i++) {
        input[i] += noise * random.nextGaussian();
      }
    }
    double[] output = perceptron.forward();
    double value = output[0];
    for (int load = 0; load < slopes; load++) {
      value -= Math.max(0, output[1 + load]) * load(features, load);
    }
    return value;
  }

  private void learn(Example example, double noise, Random random) {
    double sigmoid = Perceptron.sigmoid(forward(example.features(), noise, random));
    double error = example.features()[MEAN_COLUMN] + SPAN * sigmoid - 1 - example.speed();
    double slope = 2 * Math.clamp(error, -HUBER, HUBER) * SPAN * sigmoid * (1 - sigmoid);
    double[] output = perceptron.output();
    double[] gradient = perceptron.outputGradient();
    gradient[0] = slope;
    for (int load = 0; load < slopes; load++) {
      gradient[1 + load] = output[1 + load] > 0 ? -slope * load(example.features(), load) : 0;
    }
    perceptron.backward();
  }

  private double load(double[] features, int load) {
    return scaling.filled(features, Scaling.loads() + load);
  }

  /** Adds networks to a graph; returns the inputs of their sigmoids. */
  static GraphValue exportTo(OnnxGraph graph, GraphValue context, List<SpeedNetwork> networks) {
    int outputs = 1 + networks.getFirst().slopes;
    List<Perceptron> perceptrons = networks.stream().map(SpeedNetwork::perceptron).toList();
    GraphValue answers = Perceptron.exportTogether(graph, context, perceptrons);
    int count = networks.size();
    float[] pick = new float[count * count * outputs];
    for (int i = 0; i < count; i++) {
      pick[i * count * outputs + i * outputs] = 1;
    }
    GraphValue values = outputs == 1 ? answers : graph.dense(answers, pick, new float[count]);
    return outputs == 1 ? values : graph.difference(values, load(graph, answers, count));
  }

  private static GraphValue load(OnnxGraph graph, GraphValue answers, int count) {
    int outputs = answers.width() / count;
    GraphValue loads = graph.columns(graph.input(), Scaling.loads(), PairFeatures.width());
    float[] spread = new float[answers.width() * PairFeatures.LOADS];
    float[] sum = new float[count * answers.width()];
    for (int i = 0; i < count; i++) {
      for (int load = 0; load < PairFeatures.LOADS; load++) {
        int column = i * outputs + 1 + load;
        spread[column * PairFeatures.LOADS + load] = 1;
        sum[i * answers.width() + column] = 1;
      }
    }
    GraphValue aligned = graph.dense(loads, spread, new float[answers.width()]);
    return graph.dense(graph.product(graph.relu(answers), aligned), sum, new float[count]);
  }
}
