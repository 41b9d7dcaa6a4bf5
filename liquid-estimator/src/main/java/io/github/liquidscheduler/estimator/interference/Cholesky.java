package io.github.liquidscheduler.estimator.interference;

/**
 * The Cholesky decomposition of small positive definite matrices, in a fixed order of operations,
 * so that the same numbers come out on every machine.
 */
final class Cholesky {
  private static final double LEAST = 1e-9;

  private Cholesky() {}

  /** Replaces the lower triangle of a matrix by its factor. */
  static void decompose(double[][] matrix) {
    for (int i = 0; i < matrix.length; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = matrix[i][j];
        for (int k = 0; k < j; k++) {
          sum -= matrix[i][k] * matrix[j][k];
        }
        matrix[i][j] = i == j ? Math.sqrt(Math.max(LEAST, sum)) : sum / matrix[j][j];
      }
    }
  }

  /** Replaces {@code values} by the solution of {@code factor x = values}. */
  static void solveLower(double[][] factor, double[] values) {
    for (int i = 0; i < values.length; i++) {
      for (int k = 0; k < i; k++) {
        values[i] -= factor[i][k] * values[k];
      }
      values[i] /= factor[i][i];
    }
  }

  /** Replaces {@code values} by the solution of {@code transposed factor x = values}. */
  static void solveUpper(double[][] factor, double[] values) {
    for (int i = values.length - 1; i >= 0; i--) {
      for (int k = i + 1; k < values.length; k++) {
        values[i] -= factor[k][i] * values[k];
      }
      values[i] /= factor[i][i];
    }
  }
}
