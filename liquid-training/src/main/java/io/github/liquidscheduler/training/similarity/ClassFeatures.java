package io.github.liquidscheduler.training.similarity;

import io.github.liquidscheduler.estimator.workload.WorkloadClass;
import java.util.ArrayList;
import java.util.List;

/**
 * The features of each class before any pair is measured, standardised: how its batch size compares
 * to its family's, its rate alone on each GPU model, and what each GPU model gains it over the
 * mean. What is unknown counts as average.
 */
final class ClassFeatures {
  private ClassFeatures() {}

  /** Returns one row per class. */
  static double[][] of(PairTable table) {
    int gpus = table.gpus().size();
    double[][] rows = new double[table.classes().size()][1 + 2 * gpus];
    for (int number = 0; number < rows.length; number++) {
      rows[number][0] = batchWithinFamily(table.classes(), number);
      double sum = 0;
      int known = 0;
      for (int gpu = 0; gpu < gpus; gpu++) {
        double rate = StrictMath.log(table.isolatedRate(number, gpu));
        rows[number][1 + gpu] = rate;
        if (Double.isFinite(rate)) {
          sum += rate;
          known++;
        }
      }
      for (int gpu = 0; gpu < gpus; gpu++) {
        rows[number][1 + gpus + gpu] = rows[number][1 + gpu] - sum / Math.max(1, known);
      }
    }
    for (int column = 0; column < rows[0].length; column++) {
      standardize(rows, column);
    }
    return rows;
  }

  private static double batchWithinFamily(List<WorkloadClass> classes, int number) {
    WorkloadClass self = classes.get(number);
    List<Double> doublings = new ArrayList<>();
    for (WorkloadClass other : classes) {
      if (other.family().equals(self.family()) && other.batchSize().isPresent()) {
        doublings.add(StrictMath.log(other.batchSize().getAsInt()));
      }
    }
    if (self.batchSize().isEmpty()) {
      return Double.NaN;
    }
    double mean = doublings.stream().mapToDouble(Double::doubleValue).sum() / doublings.size();
    return StrictMath.log(self.batchSize().getAsInt()) - mean;
  }

  private static void standardize(double[][] rows, int column) {
    double sum = 0;
    double squares = 0;
    int known = 0;
    for (double[] row : rows) {
      if (Double.isFinite(row[column])) {
        sum += row[column];
        squares += row[column] * row[column];
        known++;
      }
    }
    double mean = sum / Math.max(1, known);
    double deviation = Math.sqrt(Math.max(0, squares / Math.max(1, known) - mean * mean));
    for (double[] row : rows) {
      boolean usable = Double.isFinite(row[column]) && deviation > 1e-9;
      row[column] = usable ? (row[column] - mean) / deviation : 0;
    }
  }
}
