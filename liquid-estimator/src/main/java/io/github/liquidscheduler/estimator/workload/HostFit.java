package io.github.liquidscheduler.estimator.workload;

import java.util.List;
import java.util.stream.IntStream;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.DecompositionSolver;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.QRDecomposition;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;
import org.jspecify.annotations.Nullable;

/**
 * Splits the time of an iteration into a part that scales with the GPU and one that does not, by
 * non-negative least squares over the rates of one model family: {@code time = a + b · batch + (c +
 * d · batch) / speed}. Errors count relative to the time.
 */
final class HostFit {
  private static final int TERMS = 4;
  private static final int LEAST = 3;
  private static final double LEAST_GAIN = 1e-10;
  private static final double SMALLEST_PIVOT = 1e-5;
  private static final double NEGATIVE = -1e-12;

  /**
   * A measured rate alone.
   *
   * @param batch samples per iteration
   * @param speed of the GPU model, in any unit
   * @param rate iterations per second
   */
  record Point(double batch, double speed, double rate) {
    double[] shares() {
      return new double[] {rate, batch * rate, rate / speed, batch * rate / speed};
    }
  }

  private final double[] terms;

  private HostFit(double[] terms) {
    this.terms = terms;
  }

  /** Returns the fit; nothing if too little was measured to tell both parts apart. */
  static @Nullable HostFit of(List<Point> points) {
    long speeds = points.stream().mapToDouble(Point::speed).distinct().count();
    if (points.size() < LEAST || speeds < 2) {
      return null;
    }
    double[][] rows = points.stream().map(Point::shares).toArray(double[][]::new);
    double[] scales = scales(rows);
    double[] best = new double[TERMS];
    double least = rows.length;
    for (int subset = 1; subset < 1 << TERMS; subset++) {
      double[] terms = leastSquares(rows, subset);
      if (terms != null && error(rows, terms) < least - LEAST_GAIN) {
        least = error(rows, terms);
        best = terms;
      }
    }
    for (int term = 0; term < TERMS; term++) {
      best[term] /= scales[term];
    }
    return new HostFit(best);
  }

  /** Returns the part of an iteration, from 0 to 1, that keeps the GPU busy. */
  double gpuShare(Point point) {
    double[] shares = point.shares();
    return Math.min(1, terms[2] * shares[2] + terms[3] * shares[3]);
  }

  /** Divides each column by its largest number, and returns those. */
  private static double[] scales(double[][] rows) {
    double[] scales = new double[TERMS];
    for (int term = 0; term < TERMS; term++) {
      for (double[] row : rows) {
        scales[term] = Math.max(scales[term], row[term]);
      }
      for (double[] row : rows) {
        row[term] /= scales[term];
      }
    }
    return scales;
  }

  /** Returns the terms that explain all times best, those outside the subset 0; none below 0. */
  private static double @Nullable [] leastSquares(double[][] rows, int subset) {
    int[] columns = IntStream.range(0, TERMS).filter(i -> (subset >> i & 1) == 1).toArray();
    if (columns.length > rows.length) {
      return null;
    }
    RealMatrix shares =
        MatrixUtils.createRealMatrix(rows)
            .getSubMatrix(IntStream.range(0, rows.length).toArray(), columns);
    DecompositionSolver solver = new QRDecomposition(shares, SMALLEST_PIVOT).getSolver();
    if (!solver.isNonSingular()) {
      return null;
    }
    RealVector solution = solver.solve(new ArrayRealVector(rows.length, 1.0));
    double[] terms = new double[TERMS];
    for (int i = 0; i < columns.length; i++) {
      terms[columns[i]] = solution.getEntry(i);
    }
    return solution.getMinValue() < NEGATIVE ? null : terms;
  }

  private static double error(double[][] rows, double[] terms) {
    double error = 0;
    for (double[] row : rows) {
      double off = -1;
      for (int term = 0; term < TERMS; term++) {
        off += terms[term] * row[term];
      }
      error += off * off;
    }
    return error;
  }
}
