package io.github.liquidscheduler.estimator.workload;

import io.github.liquidscheduler.resource.GpuModel;
import java.util.List;

/**
 * A class of workloads on a GPU model, among others that it resembles more or less.
 *
 * @param workload the class
 * @param gpu where it runs
 * @param features what it resembles others by, in units of what counts as different
 */
public record ClassPoint(WorkloadClass workload, GpuModel gpu, List<Double> features) {
  private static final double BY_FEATURES = 0.75;
  private static final double BY_FAMILY = 0.2;
  private static final double BY_CLASS = 0.1;
  private static final double ACROSS_GPUS = 0.25;
  private static final double DOUBLINGS = 2;

  /** Copies the features. */
  public ClassPoint {
    features = List.copyOf(features);
  }

  /**
   * Returns the expected likeness of the effects of this and another: the covariance of a Gaussian
   * process. What looks alike behaves alike; so do neighbouring batch sizes of a family; the rest
   * is a class's own, and GPU models have little in common.
   */
  public double covariance(ClassPoint other) {
    double square = 0;
    for (int i = 0; i < features.size(); i++) {
      double difference = features.get(i) - other.features.get(i);
      square += difference * difference;
    }
    double covariance = BY_FEATURES * StrictMath.exp(-square / (2 * features.size()));
    if (workload.family().equals(other.workload.family())) {
      double doublings =
          StrictMath.log(FamilyFacts.batch(workload) / FamilyFacts.batch(other.workload))
              / (StrictMath.log(2) * DOUBLINGS);
      covariance += BY_FAMILY * StrictMath.exp(-doublings * doublings / 2);
      covariance += workload.equals(other.workload) ? BY_CLASS : 0;
    }
    return gpu.equals(other.gpu) ? covariance : ACROSS_GPUS * covariance;
  }
}
