package io.github.liquidscheduler.estimator.interference;

import io.github.liquidscheduler.estimator.workload.JobVector;
import io.github.liquidscheduler.estimator.workload.PairFeatures;
import io.github.liquidscheduler.estimator.workload.PairFeatures.GpuVector;
import io.github.liquidscheduler.resource.GpuModel;

/**
 * Pairs that are scored together, and the blend of what several sources say of each: a mean
 * weighted by inverse variance. One is used over and over.
 */
final class PairBatch {
  static final int CAPACITY = 256;

  private final JobVector[] victims = new JobVector[CAPACITY];
  private final JobVector[] others = new JobVector[CAPACITY];
  private final GpuVector[] gpus = new GpuVector[CAPACITY];
  private final int[] owners = new int[CAPACITY];
  private final double[][] rows = new double[CAPACITY][PairFeatures.width()];
  private final double[] weighted = new double[CAPACITY];
  private final double[] weights = new double[CAPACITY];
  private final double[] leastErrors = new double[CAPACITY];
  private final double[] measuredErrors = new double[CAPACITY];
  private int size;

  void clear() {
    size = 0;
  }

  int size() {
    return size;
  }

  boolean isFull() {
    return size == CAPACITY;
  }

  void put(int owner, JobVector victim, JobVector other, GpuVector gpu) {
    victims[size] = victim;
    others[size] = other;
    gpus[size] = gpu;
    owners[size] = owner;
    PairFeatures.write(victim, other, gpu, rows[size]);
    weighted[size] = 0;
    weights[size] = 0;
    leastErrors[size] = Double.POSITIVE_INFINITY;
    measuredErrors[size] = Double.POSITIVE_INFINITY;
    size++;
  }

  int owner(int pair) {
    return owners[pair];
  }

  JobVector victim(int pair) {
    return victims[pair];
  }

  JobVector other(int pair) {
    return others[pair];
  }

  GpuModel gpu(int pair) {
    return gpus[pair].gpu();
  }

  double[] row(int pair) {
    return rows[pair];
  }

  /** Returns true if both classes were measured on this GPU model before. */
  boolean isFamiliar(int pair) {
    return victims[pair].isFamiliar() && others[pair].isFamiliar();
  }

  /**
   * Adds what a source says; what is no number is as if it had said nothing.
   *
   * @param isMeasured whether its error was measured on this GPU model
   */
  void add(int pair, double value, double error, boolean isMeasured) {
    if (Double.isFinite(value)) {
      double weight = 1 / (error * error);
      weighted[pair] += weight * value;
      weights[pair] += weight;
      leastErrors[pair] = Math.min(leastErrors[pair], error);
      if (isMeasured) {
        measuredErrors[pair] = Math.min(measuredErrors[pair], error);
      }
    }
  }

  /** Returns true if a source has spoken whose error was measured on this GPU model. */
  boolean hasMeasured(int pair) {
    return Double.isFinite(measuredErrors[pair]);
  }

  double value(int pair) {
    return weighted[pair] / weights[pair];
  }

  /**
   * Returns the error of the blend. The sources err alike, so it is no less than that of the best
   * whose error was measured on this GPU model, which others cannot narrow; without one, it is the
   * least of theirs.
   */
  double error(int pair) {
    return hasMeasured(pair) ? measuredErrors[pair] : leastErrors[pair];
  }
}
