package io.github.liquidscheduler.training.neural;

import io.github.liquidscheduler.training.onnx.GraphValue;
import io.github.liquidscheduler.training.onnx.OnnxGraph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Layers one after the other, with {@code max(0, x)} between them and nothing after the last.
 *
 * <p>Not thread-safe: it remembers the last input for the way back.
 */
public final class Perceptron {
  private static final double LAST_GAIN = 0.3;

  private final List<Dense> layers = new ArrayList<>();
  private final List<double[]> activations = new ArrayList<>();
  private final List<double[]> gradients = new ArrayList<>();

  /**
   * Creates a perceptron with random weights; those of the last layer are small, so that training
   * starts near the mean.
   *
   * @param widths the widths from input to output, at least two
   * @param penalty the weight of the squared weights in the loss
   */
  public Perceptron(Parameters parameters, int[] widths, double penalty, RandomGenerator random) {
    for (int width : widths) {
      activations.add(new double[width]);
      gradients.add(new double[width]);
    }
    for (int i = 0; i + 1 < widths.length; i++) {
      double gain = i + 2 == widths.length ? LAST_GAIN : 1;
      layers.add(new Dense(parameters, widths[i], widths[i + 1], penalty, gain, random));
    }
  }

  /** Returns the array for the next input. */
  public double[] input() {
    return activations.getFirst();
  }

  /** Computes and returns the output for what stands in {@link #input()}; valid until the next. */
  public double[] forward() {
    for (int i = 0; i < layers.size(); i++) {
      double[] output = activations.get(i + 1);
      layers.get(i).forward(activations.get(i), output);
      if (i + 1 < layers.size()) {
        rectify(output, output);
      }
    }
    return activations.getLast();
  }

  /** Returns the last output. */
  public double[] output() {
    return activations.getLast();
  }

  /** Returns the array for the gradient of the loss by the output. */
  public double[] outputGradient() {
    return gradients.getLast();
  }

  /** Adds to the parameters' gradients; returns the gradient by the input, valid until the next. */
  public double[] backward() {
    for (int i = layers.size() - 1; i >= 0; i--) {
      Arrays.fill(gradients.get(i), 0);
      layers.get(i).backward(activations.get(i), gradients.get(i + 1), gradients.get(i));
      if (i > 0) {
        rectify(activations.get(i), gradients.get(i));
      }
    }
    return gradients.getFirst();
  }

  /** Adds this perceptron to a graph. */
  public GraphValue exportTo(OnnxGraph graph, GraphValue input) {
    return exportTogether(graph, input, List.of(this));
  }

  /**
   * Adds perceptrons of the same shape to a graph, their layers side by side so that one operation
   * computes a layer of all; returns their outputs one after the other.
   */
  public static GraphValue exportTogether(
      OnnxGraph graph, GraphValue input, List<Perceptron> perceptrons) {
    GraphValue value = input;
    int depth = perceptrons.getFirst().layers.size();
    for (int layer = 0; layer < depth; layer++) {
      int number = layer;
      List<Dense> dense = perceptrons.stream().map(each -> each.layers.get(number)).toList();
      value = graph.dense(value, sideBySide(dense, layer == 0), biases(dense));
      if (layer + 1 < depth) {
        value = graph.relu(value);
      }
    }
    return value;
  }

  /** The first layers share their input; later ones see only their own perceptron's. */
  private static float[] sideBySide(List<Dense> layers, boolean isInputShared) {
    int inputs = layers.getFirst().inputs();
    int outputs = layers.getFirst().outputs();
    int width = isInputShared ? inputs : inputs * layers.size();
    float[] weights = new float[layers.size() * outputs * width];
    for (int i = 0; i < layers.size(); i++) {
      float[] own = layers.get(i).weights();
      int shift = isInputShared ? 0 : i * inputs;
      for (int row = 0; row < outputs; row++) {
        System.arraycopy(own, row * inputs, weights, (i * outputs + row) * width + shift, inputs);
      }
    }
    return weights;
  }

  private static float[] biases(List<Dense> layers) {
    int outputs = layers.getFirst().outputs();
    float[] biases = new float[layers.size() * outputs];
    for (int i = 0; i < layers.size(); i++) {
      System.arraycopy(layers.get(i).bias(), 0, biases, i * outputs, outputs);
    }
    return biases;
  }

  /** Returns {@code 1 / (1 + exp(-value))}, the same on every machine. */
  public static double sigmoid(double value) {
    return 1 / (1 + StrictMath.exp(-value));
  }

  private static void rectify(double[] where, double[] what) {
    for (int i = 0; i < what.length; i++) {
      if (where[i] <= 0) {
        what[i] = 0;
      }
    }
  }
}
