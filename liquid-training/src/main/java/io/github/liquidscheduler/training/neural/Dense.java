package io.github.liquidscheduler.training.neural;

import java.util.random.RandomGenerator;

/** One fully connected layer: {@code weights · input + bias}. */
final class Dense {
  private final Parameters parameters;
  private final int inputs;
  private final int outputs;
  private final int weights;
  private final int bias;

  /** Draws the weights as He et al. (2015) do, times {@code gain}. */
  Dense(
      Parameters parameters,
      int inputs,
      int outputs,
      double penalty,
      double gain,
      RandomGenerator random) {
    this.parameters = parameters;
    this.inputs = inputs;
    this.outputs = outputs;
    weights = parameters.allocate(inputs * outputs, penalty);
    bias = parameters.allocate(outputs, 0);
    parameters.randomize(weights, inputs * outputs, 0, gain * Math.sqrt(2.0 / inputs), random);
  }

  int inputs() {
    return inputs;
  }

  int outputs() {
    return outputs;
  }

  float[] weights() {
    return parameters.floats(weights, inputs * outputs);
  }

  float[] bias() {
    return parameters.floats(bias, outputs);
  }

  void forward(double[] input, double[] output) {
    double[] values = parameters.values();
    for (int o = 0; o < outputs; o++) {
      double sum = values[bias + o];
      int row = weights + o * inputs;
      for (int i = 0; i < inputs; i++) {
        sum += values[row + i] * input[i];
      }
      output[o] = sum;
    }
  }

  /** Adds to the gradients of the parameters and to {@code inputGradient}. */
  void backward(double[] input, double[] outputGradient, double[] inputGradient) {
    double[] values = parameters.values();
    double[] gradients = parameters.gradients();
    for (int o = 0; o < outputs; o++) {
      double gradient = outputGradient[o];
      if (gradient == 0) {
        continue;
      }
      gradients[bias + o] += gradient;
      int row = weights + o * inputs;
      for (int i = 0; i < inputs; i++) {
        gradients[row + i] += gradient * input[i];
        inputGradient[i] += gradient * values[row + i];
      }
    }
  }
}
