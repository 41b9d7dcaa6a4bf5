package io.github.liquidscheduler.lab.evaluate;

import io.github.liquidscheduler.estimator.task.ResourceSample;
import io.github.liquidscheduler.estimator.task.ResourceTarget;
import io.github.liquidscheduler.estimator.task.regression.FeatureSchema;
import io.github.liquidscheduler.training.resource.Vocabulary;
import io.github.liquidscheduler.training.statistics.Sample;
import io.github.liquidscheduler.training.tree.Examples;
import io.github.liquidscheduler.training.tree.Regression;
import io.github.liquidscheduler.training.tree.TreeLearner;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Plain predictions of device memory, for comparison: they see the columns of the estimator but
 * those of the analytic prior.
 */
enum MemoryBaselines {
  /** The median of the training data. */
  CONSTANT("constant"),
  /** What the nearest task of the training data used, in columns divided by their deviations. */
  NEAREST("nearest neighbour"),
  /** Liquid's random forest. */
  FOREST("random forest");

  private static final ResourceTarget MEMORY = ResourceTarget.GPU_MEMORY;

  private final String title;

  MemoryBaselines(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /** Returns its predictions, in bytes, after learning from {@code training}. */
  ToDoubleFunction<ResourceSample> learned(List<ResourceSample> training, long seed) {
    FeatureSchema schema = Vocabulary.of(training);
    Examples examples = examples(schema, training);
    return switch (this) {
      case CONSTANT -> {
        double median = Sample.of(training.stream().mapToDouble(MemoryBaselines::scaled)).median();
        yield sample -> MEMORY.fromScale(median);
      }
      case NEAREST -> {
        double[] scales = deviations(examples, schema.width());
        yield sample ->
            MEMORY.fromScale(examples.labels()[nearest(examples, row(schema, sample), scales)]);
      }
      case FOREST -> {
        Regression forest = TreeLearner.forest(70, 13, 5).fit(examples, seed);
        yield sample -> MEMORY.fromScale(forest.predict(row(schema, sample)));
      }
    };
  }

  private static Examples examples(FeatureSchema schema, List<ResourceSample> samples) {
    float[][] rows = new float[samples.size()][];
    float[] labels = new float[rows.length];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = row(schema, samples.get(i));
      labels[i] = (float) scaled(samples.get(i));
    }
    return new Examples(rows, labels);
  }

  private static float[] row(FeatureSchema schema, ResourceSample sample) {
    float[] row = schema.row(sample.task());
    row[schema.indexOf(FeatureSchema.PRIOR_MEMORY)] = 0;
    row[schema.indexOf(FeatureSchema.NEEDED_MEMORY)] = 0;
    return row;
  }

  private static double scaled(ResourceSample sample) {
    return MEMORY.toScale(sample.value(MEMORY).orElseThrow());
  }

  private static double[] deviations(Examples examples, int width) {
    double[] deviations = new double[width];
    for (int column = 0; column < width; column++) {
      int at = column;
      double variance =
          Sample.of(Arrays.stream(examples.rows()).mapToDouble(row -> row[at])).variance();
      deviations[column] = variance > 0 ? Math.sqrt(variance) : Double.POSITIVE_INFINITY;
    }
    return deviations;
  }

  private static int nearest(Examples examples, float[] row, double[] scales) {
    int nearest = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < examples.size(); i++) {
      double distance = 0;
      for (int column = 0; column < row.length; column++) {
        double difference = (examples.rows()[i][column] - row[column]) / scales[column];
        distance += difference * difference;
      }
      if (distance < least) {
        least = distance;
        nearest = i;
      }
    }
    return nearest;
  }
}
