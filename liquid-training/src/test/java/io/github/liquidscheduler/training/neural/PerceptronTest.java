package io.github.liquidscheduler.training.neural;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.estimator.onnx.BatchScorer;
import io.github.liquidscheduler.estimator.onnx.Feature;
import io.github.liquidscheduler.estimator.onnx.ModelFile;
import io.github.liquidscheduler.estimator.onnx.ModelMetadata;
import io.github.liquidscheduler.training.onnx.OnnxGraph;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PerceptronTest {
  private static final int[] WIDTHS = {3, 5, 4, 2};

  @Test
  void gradientsAreThoseOfSmallDifferences() {
    Parameters parameters = new Parameters();
    Perceptron perceptron = new Perceptron(parameters, WIDTHS, 0, new Random(3));
    output(perceptron);
    perceptron.outputGradient()[0] = 1;
    double[] byInput = perceptron.backward().clone();
    double[] gradients = parameters.gradients().clone();

    double[] values = parameters.values();
    for (int i = 0; i < 20; i++) {
      double held = values[i];
      values[i] = held + 1e-6;
      double above = output(perceptron);
      values[i] = held - 1e-6;
      double below = output(perceptron);
      values[i] = held;
      assertThat(gradients[i]).isCloseTo((above - below) / 2e-6, within(1e-5));
    }
    assertThat(byInput).hasSize(3);
  }

  @Test
  void exportedPerceptronsAnswerAsTheirJavaSelvesDo() {
    Parameters parameters = new Parameters();
    Random random = new Random(5);
    List<Perceptron> perceptrons =
        List.of(
            new Perceptron(parameters, WIDTHS, 0, random),
            new Perceptron(parameters, WIDTHS, 0, random));
    OnnxGraph graph = new OnnxGraph(3);
    byte[] bytes =
        graph.toBytes(Perceptron.exportTogether(graph, graph.input(), perceptrons), metadata());

    try (ModelFile file = ModelFile.of(bytes, "a test");
        BatchScorer scorer = file.scorer()) {
      float[] answers = new float[4];
      scorer.score(new float[] {0.5f, -1, 2}, 1, answers);
      output(perceptrons.get(0));
      output(perceptrons.get(1));
      for (int i = 0; i < 4; i++) {
        double java = perceptrons.get(i / 2).output()[i % 2];
        assertThat((double) answers[i]).isCloseTo(java, within(1e-5));
      }
    }
  }

  @Test
  void aPlanLearnsAndIsTheSameForTheSameSeed() {
    assertThat(learned(1)).isCloseTo(2, within(0.05)).isEqualTo(learned(1));
    assertThat(learned(2)).isNotEqualTo(learned(1));
  }

  /** Learns that f(1) is 2. */
  private static double learned(long seed) {
    Parameters parameters = new Parameters();
    Random random = new Random(seed);
    Perceptron perceptron = new Perceptron(parameters, new int[] {1, 8, 1}, 0, random);
    new TrainingPlan(1, 400, 1, 1e-2)
        .run(
            1,
            parameters,
            random,
            example -> {
              perceptron.input()[0] = 1;
              perceptron.outputGradient()[0] = perceptron.forward()[0] - 2;
              perceptron.backward();
            });
    perceptron.input()[0] = 1;
    return perceptron.forward()[0];
  }

  private static double output(Perceptron perceptron) {
    double[] input = perceptron.input();
    input[0] = 0.5;
    input[1] = -1;
    input[2] = 2;
    return perceptron.forward()[0];
  }

  private static ModelMetadata metadata() {
    return ModelMetadata.of(
        "a", "1", Stream.of("x", "y", "z").map(name -> Feature.plain(name, "1")).toList());
  }
}
