package io.github.liquidscheduler.prediction;

import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.List;

/**
 * Predicts the retained speed of one class of workloads beside another from a sparse table of
 * observed pairs (IASP: deep collaborative filtering over victim class, aggressor class and GPU
 * model). A model does not change: to learn is to make another one. Calls may come from several
 * threads.
 */
@FunctionalInterface
public interface SimilarityModel {

  /** Returns the retained speed of {@code victim} beside {@code aggressor}, in (0, 1.05]. */
  Prediction retainedSpeed(Workload victim, Workload aggressor, GpuModel gpu);

  /**
   * Returns the slowdown that two classes cause each other: the mean of what each loses, from 0 to
   * 1. Low is good.
   */
  default double mutualSlowdown(Workload one, Workload other, GpuModel gpu) {
    double kept = retainedSpeed(one, other, gpu).value() + retainedSpeed(other, one, gpu).value();
    return Math.clamp(1 - kept / 2, 0, 1);
  }

  /**
   * Returns the model that has also observed this retained speed of a pair; by default the same,
   * for a model that does not learn.
   *
   * @throws IllegalArgumentException if {@code retainedSpeed} is not in (0, 1.05]
   */
  default SimilarityModel observe(
      Workload victim, Workload aggressor, GpuModel gpu, double retainedSpeed) {
    return this;
  }

  /** Returns the learned state, in a fixed order. */
  default List<LearnedState> saveState() {
    return List.of();
  }

  /**
   * Returns this model with what was {@linkplain #saveState saved}, here or by a model made alike,
   * instead of what it has observed itself.
   *
   * @throws IllegalArgumentException if the values are not of such a model
   */
  default SimilarityModel restoreState(List<LearnedState> saved) {
    if (!saved.isEmpty()) {
      throw new IllegalArgumentException(
          "only a model that learns can restore learned state, but a %s was given %d values"
              .formatted(getClass().getSimpleName(), saved.size()));
    }
    return this;
  }
}
