package io.github.liquidscheduler.estimator.interference;

/**
 * The Cholesky decomposition of small positive definite matrices, in a fixed order of operations,
 * so that the same numbers come out on every machine. Factors are kept transposed, as upper
 * triangles: what one value takes from those behind it stands side by side, and none of these steps
 * waits for another.
 */
final class Cholesky {
  private static final double LEAST = 1e-9;

  private Cholesky() {}

  /** Replaces the upper triangle of a matrix by its transposed factor. */
  static void decompose(double[][] matrix) {
    for (int k = 0; k < matrix.length; k++) {
      double[] row = matrix[k];
      row[k] = Math.sqrt(Math.max(LEAST, row[k]));
      for (int i = k + 1; i < row.length; i++) {
        row[i] /= row[k];
      }
      for (int j = k + 1; j < row.length; j++) {
        subtract(row[j], row, j, matrix[j]);
      }
    }
  }

  /** Replaces {@code values} by the solution of {@code factor x = values}. */
  static void solveLower(double[][] transposed, double[] values) {
    for (int k = 0; k < values.length; k++) {
      values[k] /= transposed[k][k];
      subtract(values[k], transposed[k], k + 1, values);
    }
  }

  /** Replaces {@code values} by the solution of {@code transposed factor x = values}. */
  static void solveUpper(double[][] transposed, double[] values) {
    for (int i = values.length - 1; i >= 0; i--) {
      for (int k = i + 1; k < values.length; k++) {
        values[i] -= transposed[i][k] * values[k];
      }
      values[i] /= transposed[i][i];
    }
  }

  /** Takes a multiple of a row from another, from a position on. */
  private static void subtract(double factor, double[] row, int from, double[] other) {
    for (int i = from; i < row.length; i++) {
      other[i] -= row[i] * factor;
    }
  }
}
