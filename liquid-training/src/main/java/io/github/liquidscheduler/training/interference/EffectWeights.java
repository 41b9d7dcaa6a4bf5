package io.github.liquidscheduler.training.interference;

import io.github.liquidscheduler.estimator.workload.ClassPoint;
import java.util.Arrays;
import java.util.List;
import org.ojalgo.matrix.decomposition.LU;
import org.ojalgo.matrix.store.MatrixStore;
import org.ojalgo.matrix.store.R064Store;

/**
 * The weights of the Gaussian process that {@link EffectsFit} fits: found by least squares again
 * and again, each time trusting what was far off less.
 */
final class EffectWeights {
  private static final double NOISE = 0.15;
  private static final int ROUNDS = 6;
  private static final double LEAST_ERROR = 0.5;

  private final int[] victims;
  private final int[] aggressors;
  private final double[] speeds;

  /** Of measured speeds, less what is usual, and the numbers of the classes that met. */
  EffectWeights(int[] victims, int[] aggressors, double[] speeds) {
    this.victims = victims;
    this.aggressors = aggressors;
    this.speeds = speeds;
  }

  /** Returns the weights of all classes as victims, then as aggressors. */
  double[] solved(List<ClassPoint> points) {
    double[][] covariances = covariances(points);
    double[] trust = new double[speeds.length];
    Arrays.fill(trust, 1 / NOISE);
    double[] weights = new double[2 * covariances.length];
    for (int round = 0; round <= ROUNDS; round++) {
      weights = weights(covariances, trust);
      double[] effects = effects(covariances, weights);
      for (int i = 0; i < trust.length; i++) {
        double off = speeds[i] - effects[victims[i]] - effects[covariances.length + aggressors[i]];
        trust[i] = 1 / (NOISE * Math.max(LEAST_ERROR, Math.abs(off) / Math.sqrt(NOISE)));
      }
    }
    return weights;
  }

  /** Solves {@code (A C + 1) w = b}, where A and b count what each class met, as it is trusted. */
  private double[] weights(double[][] covariances, double[] trust) {
    int classes = covariances.length;
    R064Store met = R064Store.FACTORY.make(2 * classes, 2 * classes);
    R064Store sums = R064Store.FACTORY.make(2 * classes, 1);
    for (int i = 0; i < trust.length; i++) {
      int victim = victims[i];
      int aggressor = classes + aggressors[i];
      met.add(victim, victim, trust[i]);
      met.add(aggressor, aggressor, trust[i]);
      met.add(victim, aggressor, trust[i]);
      met.add(aggressor, victim, trust[i]);
      sums.add(victim, 0, trust[i] * speeds[i]);
      sums.add(aggressor, 0, trust[i] * speeds[i]);
    }
    R064Store prior = R064Store.FACTORY.make(2 * classes, 2 * classes);
    for (int i = 0; i < classes; i++) {
      for (int j = 0; j < classes; j++) {
        prior.set(i, j, covariances[i][j]);
        prior.set(classes + i, classes + j, covariances[i][j]);
      }
    }
    R064Store system = R064Store.FACTORY.copy(met.multiply(prior));
    for (int i = 0; i < 2 * classes; i++) {
      system.add(i, i, 1.0);
    }
    LU<Double> decomposition = LU.R064.make(system);
    decomposition.decompose(system);
    MatrixStore<Double> solution = decomposition.getSolution(sums);
    double[] weights = new double[2 * classes];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = solution.doubleValue(i, 0);
    }
    return weights;
  }

  private static double[] effects(double[][] covariances, double[] weights) {
    double[] effects = new double[weights.length];
    int classes = covariances.length;
    for (int i = 0; i < classes; i++) {
      for (int j = 0; j < classes; j++) {
        effects[i] += covariances[i][j] * weights[j];
        effects[classes + i] += covariances[i][j] * weights[classes + j];
      }
    }
    return effects;
  }

  private static double[][] covariances(List<ClassPoint> points) {
    double[][] covariances = new double[points.size()][points.size()];
    for (int i = 0; i < covariances.length; i++) {
      for (int j = 0; j < covariances.length; j++) {
        covariances[i][j] = points.get(i).covariance(points.get(j));
      }
    }
    return covariances;
  }
}
