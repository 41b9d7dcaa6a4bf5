package io.github.liquidscheduler.estimator.performance;

import io.github.liquidscheduler.prediction.ThroughputModel;
import io.github.liquidscheduler.prediction.ThroughputModel.Line;
import java.util.List;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;
import org.hipparchus.optim.nonlinear.vector.leastsquares.MultivariateJacobianFunction;
import org.hipparchus.util.Pair;

/**
 * By how much a model misses the points, with derivatives: the logarithm of predicted by measured
 * time for each, and three more that draw towards simple models: no overlap, and times to
 * synchronise that do not depend on the number of GPUs.
 */
final class FitResiduals implements MultivariateJacobianFunction {
  private static final double OVERLAP_WEIGHT = 1e-3;
  private static final double SLOPE_WEIGHT = 1e-2;

  /** The optimiser divides by the sum of squares, so that is never 0. */
  private static final double LEAST = 1e-9;

  private static final double LEAST_CONSTANT = 1e-8;
  private static final int FURTHER = 4;

  private final List<ThroughputPoint> points;
  private final int[] free;
  private final double[] all;
  private final double weight;

  /**
   * Makes the residuals.
   *
   * @param all all parameters, of which only the {@code free} vary
   * @param weight how much simple models count, beside the mean of squared logarithms
   */
  FitResiduals(List<ThroughputPoint> points, int[] free, double[] all, double weight) {
    this.points = points;
    this.free = free;
    this.all = all.clone();
    this.weight = weight;
  }

  int size() {
    return points.size() + FURTHER;
  }

  @Override
  public Pair<RealVector, RealMatrix> value(RealVector varied) {
    for (int i = 0; i < free.length; i++) {
      all[free[i]] = varied.getEntry(i);
    }
    double[] value = new double[size()];
    double[][] derivatives = new double[value.length][FitParameters.COUNT];
    ThroughputModel model = FitParameters.model(all);
    double share = 1 / Math.sqrt(points.size());
    for (int i = 0; i < points.size(); i++) {
      ThroughputPoint point = points.get(i);
      value[i] = share * miss(model, point);
      derive(model, point, share, derivatives[i]);
    }
    addOverlap(model, points.size(), value, derivatives);
    addSlope(model.withinNode(), points.size() + 1, value, derivatives);
    addSlope(model.acrossNodes(), points.size() + 2, value, derivatives);
    value[value.length - 1] = LEAST;
    return new Pair<>(
        new ArrayRealVector(value, false), new Array2DRowRealMatrix(varied(derivatives), false));
  }

  /** Returns the root of the mean of squared logarithms. */
  static double rootMeanSquare(ThroughputModel model, List<ThroughputPoint> points) {
    double sum = points.stream().mapToDouble(point -> Math.pow(miss(model, point), 2)).sum();
    return Math.sqrt(sum / points.size());
  }

  private static double miss(ThroughputModel model, ThroughputPoint point) {
    return Math.log(model.iterationSeconds(point.replicas(), point.localBatch()) / point.seconds());
  }

  private void derive(ThroughputModel model, ThroughputPoint point, double share, double[] row) {
    double total = model.iterationSeconds(point.replicas(), point.localBatch());
    double computed = model.computing().at(point.localBatch());
    double gamma = model.gamma();
    double byComputing = Math.pow(computed / total, gamma);
    addLine(FitParameters.COMPUTING, share * byComputing / computed, point.localBatch(), row);
    if (point.replicas().gpus() == 1) {
      return;
    }
    int further = point.replicas().gpus() - 2;
    Line line = point.isAcrossNodes() ? model.acrossNodes() : model.withinNode();
    double synchronised = line.at(further);
    if (synchronised == 0) {
      return;
    }
    double bySynchronising = Math.pow(synchronised / total, gamma);
    double scale = share * bySynchronising / synchronised;
    if (point.isAcrossNodes()) {
      addLine(FitParameters.WITHIN, scale * FitParameters.ACROSS_NODES, further, row);
      addLine(FitParameters.BEYOND, scale, further, row);
    } else {
      addLine(FitParameters.WITHIN, scale, further, row);
    }
    double byGamma =
        (byComputing * Math.log(computed / total)
                + bySynchronising * Math.log(synchronised / total))
            / gamma;
    row[FitParameters.GAMMA] = share * byGamma * slope(FitParameters.GAMMA);
  }

  /** Adds to the derivatives by both numbers of a line. */
  private void addLine(int first, double scale, double at, double[] row) {
    row[first] += scale * slope(first);
    row[first + 1] += scale * slope(first + 1) * at;
  }

  private double slope(int parameter) {
    return FitParameters.slope(parameter, all[parameter]);
  }

  private void addOverlap(ThroughputModel model, int row, double[] value, double[][] derivatives) {
    double scale = Math.sqrt(OVERLAP_WEIGHT * weight);
    value[row] = scale * (model.gamma() - 1);
    derivatives[row][FitParameters.GAMMA] = scale * slope(FitParameters.GAMMA);
  }

  private void addSlope(Line line, int row, double[] value, double[][] derivatives) {
    double constant = line.constant() + LEAST_CONSTANT;
    double scale = Math.sqrt(SLOPE_WEIGHT * weight) / constant;
    value[row] = scale * line.slope();
    boolean isAcross = row == points.size() + 2;
    double[] byLine = {-value[row] / constant, scale};
    double factor = isAcross ? FitParameters.ACROSS_NODES : 1;
    addSlope(FitParameters.WITHIN, factor, byLine, derivatives[row]);
    if (isAcross) {
      addSlope(FitParameters.BEYOND, 1, byLine, derivatives[row]);
    }
  }

  /** Adds to the derivatives, given those by both numbers of the line that these are a part of. */
  private void addSlope(int first, double factor, double[] byLine, double[] row) {
    row[first] += byLine[0] * factor * slope(first);
    row[first + 1] += byLine[1] * factor * slope(first + 1);
  }

  private double[][] varied(double[][] derivatives) {
    double[][] varied = new double[derivatives.length][free.length];
    for (int row = 0; row < varied.length; row++) {
      for (int column = 0; column < free.length; column++) {
        varied[row][column] = derivatives[row][free[column]];
      }
    }
    return varied;
  }
}
