package io.github.liquidscheduler.training.similarity;

import io.github.liquidscheduler.training.neural.Parameters;
import io.github.liquidscheduler.training.neural.Perceptron;
import io.github.liquidscheduler.training.neural.TrainingPlan;
import io.github.liquidscheduler.training.onnx.GraphValue;
import io.github.liquidscheduler.training.onnx.OnnxGraph;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * One network of neural matrix factorisation (He et al., 2017) over victim class, aggressor class
 * and GPU model: the sigmoid of biases, a weighted element-wise product of embeddings, and a
 * perceptron over others. The label is a measured speed, so the loss is its squared error, not the
 * log-loss over sampled negatives of implicit feedback.
 *
 * <p>A class vector is {@code [bias, bias per GPU model, product part, perceptron part]}.
 */
final class NeuMf {
  private static final int PRODUCT = 8;
  private static final int DEEP = 8;
  private static final int GPU_DEEP = 4;
  private static final double PENALTY = 2e-5;
  private static final double LEAST_LABEL = 0.02;

  private final int gpus;
  private final int classes;
  private final Parameters parameters = new Parameters();
  private final ComposedEmbedding victims;
  private final ComposedEmbedding aggressors;
  private final Perceptron perceptron;
  private final int globalBias;
  private final int gpuBias;
  private final int gpuProduct;
  private final int gpuDeep;
  private final int productWeight;
  private final double[] victim;
  private final double[] aggressor;
  private final double[] victimGradient;
  private final double[] aggressorGradient;

  private NeuMf(PairTable table, double[][] features, Random random) {
    gpus = table.gpus().size();
    classes = table.classes().size();
    int width = 1 + gpus + PRODUCT + DEEP;
    int[] families = table.families();
    victims = new ComposedEmbedding(parameters, width, 1 + gpus, families, features, random);
    aggressors = new ComposedEmbedding(parameters, width, 1 + gpus, families, features, random);
    globalBias = parameters.allocate(1, 0);
    gpuBias = parameters.allocate(gpus, 0);
    gpuProduct = parameters.allocate(gpus * PRODUCT, PENALTY);
    gpuDeep = parameters.allocate(gpus * GPU_DEEP, PENALTY);
    productWeight = parameters.allocate(PRODUCT, PENALTY);
    parameters.randomize(gpuProduct, gpus * PRODUCT, 1, 0.1, random);
    parameters.randomize(gpuDeep, gpus * GPU_DEEP, 0, 0.1, random);
    parameters.randomize(productWeight, PRODUCT, 0, 0.3, random);
    perceptron =
        new Perceptron(parameters, new int[] {2 * DEEP + GPU_DEEP, 32, 16, 1}, PENALTY, random);
    victim = new double[width];
    aggressor = new double[width];
    victimGradient = new double[width];
    aggressorGradient = new double[width];
  }

  static NeuMf trained(
      PairTable table, List<PairTable.Entry> entries, TrainingPlan plan, long seed) {
    Random random = new Random(seed);
    NeuMf network = new NeuMf(table, ClassFeatures.of(table), random);
    plan.run(
        entries.size(), network.parameters, random, example -> network.learn(entries.get(example)));
    return network;
  }

  double predict(int victimClass, int aggressorClass, int gpu) {
    return Perceptron.sigmoid(forward(victimClass, aggressorClass, gpu));
  }

  private void learn(PairTable.Entry entry) {
    double speed = predict(entry.victim(), entry.aggressor(), entry.gpu());
    double label = Math.clamp(entry.speed(), LEAST_LABEL, 1);
    backward(entry, 2 * (speed - label) * speed * (1 - speed));
  }

  private double forward(int victimClass, int aggressorClass, int gpu) {
    victims.forward(victimClass, victim);
    aggressors.forward(aggressorClass, aggressor);
    double sum = parameters.value(globalBias) + parameters.value(gpuBias + gpu);
    sum += victim[0] + aggressor[0] + victim[1 + gpu] + aggressor[1 + gpu];
    for (int d = 0; d < PRODUCT; d++) {
      sum +=
          parameters.value(productWeight + d)
              * parameters.value(gpuProduct + gpu * PRODUCT + d)
              * victim[product(d)]
              * aggressor[product(d)];
    }
    double[] input = perceptron.input();
    System.arraycopy(victim, deep(0), input, 0, DEEP);
    System.arraycopy(aggressor, deep(0), input, DEEP, DEEP);
    for (int d = 0; d < GPU_DEEP; d++) {
      input[2 * DEEP + d] = parameters.value(gpuDeep + gpu * GPU_DEEP + d);
    }
    return sum + perceptron.forward()[0];
  }

  private void backward(PairTable.Entry entry, double gradient) {
    int gpu = entry.gpu();
    Arrays.fill(victimGradient, 0);
    Arrays.fill(aggressorGradient, 0);
    parameters.addGradient(globalBias, gradient);
    parameters.addGradient(gpuBias + gpu, gradient);
    for (double[] side : List.of(victimGradient, aggressorGradient)) {
      side[0] = gradient;
      side[1 + gpu] = gradient;
    }
    backwardProduct(gpu, gradient);
    perceptron.outputGradient()[0] = gradient;
    double[] input = perceptron.backward();
    System.arraycopy(input, 0, victimGradient, deep(0), DEEP);
    System.arraycopy(input, DEEP, aggressorGradient, deep(0), DEEP);
    for (int d = 0; d < GPU_DEEP; d++) {
      parameters.addGradient(gpuDeep + gpu * GPU_DEEP + d, input[2 * DEEP + d]);
    }
    victims.backward(entry.victim(), victimGradient);
    aggressors.backward(entry.aggressor(), aggressorGradient);
  }

  private void backwardProduct(int gpu, double gradient) {
    for (int d = 0; d < PRODUCT; d++) {
      double weight = parameters.value(productWeight + d);
      double scale = parameters.value(gpuProduct + gpu * PRODUCT + d);
      double p = victim[product(d)];
      double q = aggressor[product(d)];
      parameters.addGradient(productWeight + d, gradient * scale * p * q);
      parameters.addGradient(gpuProduct + gpu * PRODUCT + d, gradient * weight * p * q);
      victimGradient[product(d)] = gradient * weight * scale * q;
      aggressorGradient[product(d)] = gradient * weight * scale * p;
    }
  }

  /**
   * Adds this network to a graph. Everything that depends on one class and the GPU model is folded
   * into one table per side, so that two look-ups fetch it.
   */
  GraphValue exportTo(OnnxGraph graph) {
    GraphValue v =
        graph.embedding(graph.columns(graph.input(), 0, 1), victimTable(), 1 + PRODUCT + DEEP);
    GraphValue a =
        graph.embedding(
            graph.columns(graph.input(), 1, 2), aggressorTable(), 1 + PRODUCT + DEEP + GPU_DEEP);
    GraphValue biases = graph.sum(graph.columns(v, 0, 1), graph.columns(a, 0, 1));
    int rest = 1 + PRODUCT;
    GraphValue product =
        graph.total(graph.product(graph.columns(v, 1, rest), graph.columns(a, 1, rest)));
    GraphValue deep =
        graph.concatenated(
            List.of(graph.columns(v, rest, v.width()), graph.columns(a, rest, a.width())));
    return graph.sigmoid(graph.sum(graph.sum(biases, product), perceptron.exportTo(graph, deep)));
  }

  private float[] victimTable() {
    int width = 1 + PRODUCT + DEEP;
    float[] table = new float[classes * gpus * width];
    for (int row = 0; row < classes * gpus; row++) {
      int gpu = row % gpus;
      victims.forward(row / gpus, victim);
      double bias = parameters.value(globalBias) + parameters.value(gpuBias + gpu);
      table[row * width] = (float) (bias + victim[0] + victim[1 + gpu]);
      for (int d = 0; d < PRODUCT + DEEP; d++) {
        table[row * width + 1 + d] = (float) victim[product(d)];
      }
    }
    return table;
  }

  private float[] aggressorTable() {
    int width = 1 + PRODUCT + DEEP + GPU_DEEP;
    float[] table = new float[classes * gpus * width];
    for (int row = 0; row < classes * gpus; row++) {
      int gpu = row % gpus;
      int at = row * width;
      aggressors.forward(row / gpus, aggressor);
      table[at++] = (float) (aggressor[0] + aggressor[1 + gpu]);
      for (int d = 0; d < PRODUCT; d++) {
        double weight = parameters.value(productWeight + d);
        double scale = parameters.value(gpuProduct + gpu * PRODUCT + d);
        table[at++] = (float) (weight * scale * aggressor[product(d)]);
      }
      for (int d = 0; d < DEEP; d++) {
        table[at++] = (float) aggressor[deep(d)];
      }
      for (int d = 0; d < GPU_DEEP; d++) {
        table[at++] = (float) parameters.value(gpuDeep + gpu * GPU_DEEP + d);
      }
    }
    return table;
  }

  private int product(int d) {
    return 1 + gpus + d;
  }

  private int deep(int d) {
    return 1 + gpus + PRODUCT + d;
  }
}
