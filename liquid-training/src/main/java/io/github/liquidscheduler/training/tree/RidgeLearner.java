package io.github.liquidscheduler.training.tree;

import java.util.List;
import org.ojalgo.matrix.decomposition.Cholesky;
import org.ojalgo.matrix.store.MatrixStore;
import org.ojalgo.matrix.store.R064Store;

/** Linear regression whose weights, per standard deviation of a column, are kept small. */
public final class RidgeLearner implements RegressionLearner {
  private static final double SMALLEST_SCALE = 1e-9;

  private final double penalty;

  /**
   * Makes a learner.
   *
   * @param penalty how many examples of weight 0 are as strong as the penalty; 0 is plain linear
   *     regression but for a trace that makes it solvable
   */
  public RidgeLearner(double penalty) {
    this.penalty = penalty;
  }

  @Override
  public String name() {
    return "linear";
  }

  @Override
  public Regression fit(Examples examples, long seed) {
    int width = examples.width();
    double[] mean = new double[width];
    double[] scale = new double[width];
    for (int column = 0; column < width; column++) {
      standardize(examples, column, mean, scale);
    }
    double[] solution = solve(examples, mean, scale);
    float[] weights = new float[width];
    double bias = examples.meanLabel();
    for (int column = 0; column < width; column++) {
      double weight = scale[column] < SMALLEST_SCALE ? 0 : solution[column] / scale[column];
      weights[column] = (float) weight;
      bias -= weight * mean[column];
    }
    return new Regression((float) bias, weights, List.of());
  }

  private static void standardize(Examples examples, int column, double[] mean, double[] scale) {
    double sum = 0;
    double squares = 0;
    for (float[] row : examples.rows()) {
      sum += row[column];
    }
    mean[column] = sum / examples.size();
    for (float[] row : examples.rows()) {
      squares += Math.pow(row[column] - mean[column], 2);
    }
    scale[column] = Math.sqrt(squares / examples.size());
  }

  /** The weights of the standardised columns; a column that never changes gets 0. */
  private double[] solve(Examples examples, double[] mean, double[] scale) {
    int width = mean.length;
    R064Store gram = R064Store.FACTORY.make(width, width);
    R064Store right = R064Store.FACTORY.make(width, 1);
    double[] scaled = new double[width];
    double meanLabel = examples.meanLabel();
    for (int i = 0; i < examples.size(); i++) {
      for (int column = 0; column < width; column++) {
        double distance = examples.rows()[i][column] - mean[column];
        scaled[column] = scale[column] < SMALLEST_SCALE ? 0 : distance / scale[column];
      }
      addTo(gram, right, scaled, examples.labels()[i] - meanLabel);
    }
    for (int column = 0; column < width; column++) {
      gram.add(column, column, penalty + 1e-6 * examples.size());
    }
    Cholesky<Double> cholesky = Cholesky.R064.make(width, width);
    cholesky.decompose(gram);
    MatrixStore<Double> solution = cholesky.getSolution(right);
    return solution.toRawCopy1D();
  }

  private static void addTo(R064Store gram, R064Store right, double[] row, double label) {
    for (int i = 0; i < row.length; i++) {
      if (row[i] != 0) {
        right.add(i, 0, row[i] * label);
        for (int j = 0; j < row.length; j++) {
          gram.add(i, j, row[i] * row[j]);
        }
      }
    }
  }
}
