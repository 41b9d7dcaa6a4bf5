package io.github.liquidscheduler.estimator.interference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class CholeskyTest {

  @Test
  void aMatrixIsReplacedByItsTransposedFactor() {
    double[][] matrix = {{4, 2, 6}, {0, 10, 9}, {0, 0, 35}};

    Cholesky.decompose(matrix);

    assertThat(matrix[0]).containsExactly(2, 1, 3);
    assertThat(matrix[1]).containsExactly(0, 3, 2);
    assertThat(matrix[2]).containsExactly(0, 0, Math.sqrt(22));
  }

  @Test
  void bothTriangularSystemsAreSolvedOneAfterTheOther() {
    double[][] matrix = {{4, 2, 6}, {0, 10, 9}, {0, 0, 35}};
    double[] values = {4 + 2 * 2 + 6 * 3, 2 + 10 * 2 + 9 * 3, 6 + 9 * 2 + 35 * 3};

    Cholesky.decompose(matrix);
    Cholesky.solveLower(matrix, values);
    Cholesky.solveUpper(matrix, values);

    assertThat(values).containsExactly(new double[] {1, 2, 3}, within(1e-12));
  }
}
