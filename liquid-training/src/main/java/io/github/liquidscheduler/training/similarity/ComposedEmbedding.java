package io.github.liquidscheduler.training.similarity;

import io.github.liquidscheduler.training.neural.Parameters;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * An embedding of a class that is the sum of three: one of its family, a linear image of what is
 * known of it alone, and one of its own. So a class borrows from its relatives until enough of its
 * own pairs were seen, which is what makes sparse tables learnable.
 */
final class ComposedEmbedding {
  private static final double OWN_DEVIATION = 0.03;
  private static final double FAMILY_DEVIATION = 0.1;
  private static final double FEATURE_DEVIATION = 0.05;

  private final Parameters parameters;
  private final int width;
  private final int[] families;
  private final double[][] features;
  private final int own;
  private final int family;
  private final int feature;

  /** Creates the embedding, of which the first {@code biases} columns start at zero. */
  ComposedEmbedding(
      Parameters parameters,
      int width,
      int biases,
      int[] families,
      double[][] features,
      RandomGenerator random) {
    this.parameters = parameters;
    this.width = width;
    this.families = families;
    this.features = features;
    int familyCount = Arrays.stream(families).max().orElse(0) + 1;
    own = parameters.allocate(families.length * width, 2e-5);
    family = parameters.allocate(familyCount * width, 2e-5);
    feature = parameters.allocate(features[0].length * width, 2e-4);
    randomize(own, families.length, biases, OWN_DEVIATION, random);
    randomize(family, familyCount, biases, FAMILY_DEVIATION, random);
    randomize(feature, features[0].length, biases, FEATURE_DEVIATION, random);
  }

  private void randomize(
      int offset, int rows, int biases, double deviation, RandomGenerator random) {
    for (int row = 0; row < rows; row++) {
      parameters.randomize(offset + row * width + biases, width - biases, 0, deviation, random);
    }
  }

  void forward(int number, double[] output) {
    for (int d = 0; d < width; d++) {
      double sum =
          parameters.value(own + number * width + d)
              + parameters.value(family + families[number] * width + d);
      for (int f = 0; f < features[number].length; f++) {
        sum += features[number][f] * parameters.value(feature + f * width + d);
      }
      output[d] = sum;
    }
  }

  void backward(int number, double[] gradient) {
    for (int d = 0; d < width; d++) {
      if (gradient[d] == 0) {
        continue;
      }
      parameters.addGradient(own + number * width + d, gradient[d]);
      parameters.addGradient(family + families[number] * width + d, gradient[d]);
      for (int f = 0; f < features[number].length; f++) {
        parameters.addGradient(feature + f * width + d, features[number][f] * gradient[d]);
      }
    }
  }
}
