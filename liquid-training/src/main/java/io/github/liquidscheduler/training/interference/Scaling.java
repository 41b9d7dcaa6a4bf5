package io.github.liquidscheduler.training.interference;

import io.github.liquidscheduler.estimator.onnx.Feature;
import io.github.liquidscheduler.estimator.workload.PairFeatures;
import java.util.ArrayList;
import java.util.List;

/** Mean and deviation of each column; what is unknown takes the mean. */
final class Scaling {
  static final float LIMIT = 4;
  private static final double CONSTANT = 1e-6;

  private final double[] mean = new double[PairFeatures.width()];
  private final double[] scale = new double[PairFeatures.width()];
  private final boolean[] known = new boolean[PairFeatures.width()];

  Scaling(List<Example> examples) {
    for (int column = 0; column < mean.length; column++) {
      int number = column;
      double[] values =
          examples.stream()
              .mapToDouble(example -> example.features()[number])
              .filter(Double::isFinite)
              .toArray();
      known[column] = values.length > 0;
      mean[column] = known[column] ? mean(values) : 0;
      double deviation = known[column] ? deviation(values, mean[column]) : 0;
      scale[column] = deviation < CONSTANT ? 1 : deviation;
    }
  }

  /** Returns true if the load of co-runners was measured at all. */
  boolean knowsLoad() {
    for (int column = loads(); column < known.length; column++) {
      if (known[column]) {
        return true;
      }
    }
    return false;
  }

  /** Returns the number of columns before the estimates and those of load. */
  static int context() {
    return loads() - PairFeatures.ESTIMATES;
  }

  /** Returns the number of columns before those of load. */
  static int loads() {
    return PairFeatures.width() - PairFeatures.LOADS;
  }

  void writeContext(double[] features, double[] output) {
    for (int column = 0; column < context(); column++) {
      double value = (filled(features, column) - mean[column]) / scale[column];
      output[column] = Math.clamp(value, -LIMIT, LIMIT);
    }
  }

  double filled(double[] features, int column) {
    return Double.isFinite(features[column]) ? features[column] : mean[column];
  }

  /** Returns all columns as they are, what is unknown filled in. */
  float[] row(double[] features) {
    float[] row = new float[features.length];
    for (int column = 0; column < row.length; column++) {
      row[column] = (float) filled(features, column);
    }
    return row;
  }

  float[] means() {
    return floats(mean);
  }

  float[] scales() {
    return floats(scale);
  }

  List<Feature> columns() {
    List<Feature> columns = new ArrayList<>();
    for (Feature feature : PairFeatures.columns()) {
      int column = columns.size();
      columns.add(new Feature(feature.name(), feature.unit(), mean[column], scale[column]));
    }
    return columns;
  }

  private static float[] floats(double[] values) {
    float[] result = new float[context()];
    for (int i = 0; i < result.length; i++) {
      result[i] = (float) values[i];
    }
    return result;
  }

  private static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }

  private static double deviation(double[] values, double mean) {
    double sum = 0;
    for (double value : values) {
      sum += (value - mean) * (value - mean);
    }
    return Math.sqrt(sum / values.length);
  }
}
