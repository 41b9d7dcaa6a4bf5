package io.github.liquidscheduler.prediction;

import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.List;

/**
 * Predicts the retained speed of one class of workloads beside another from a sparse table of
 * observed pairs (IASP: deep collaborative filtering over victim class, aggressor class and GPU
 * model). Not thread-safe.
 */
public interface SimilarityModel {

  /** Returns the retained speed of {@code victim} beside {@code aggressor}, in (0, 1.05]. */
  Prediction retainedSpeed(Workload victim, Workload aggressor, GpuModel gpu);

  /**
   * Returns the slowdown two classes do each other: the mean of what each loses, from 0 to 1. Low
   * is good.
   */
  default double mutualSlowdown(Workload one, Workload other, GpuModel gpu) {
    double kept = retainedSpeed(one, other, gpu).value() + retainedSpeed(other, one, gpu).value();
    return Math.clamp(1 - kept / 2, 0, 1);
  }

  /**
   * Learns the retained speed measured for a pair.
   *
   * @throws IllegalArgumentException if {@code retainedSpeed} is not in (0, 1.05]
   */
  void observe(Workload victim, Workload aggressor, GpuModel gpu, double retainedSpeed);

  /**
   * Returns all that was learned from observations, so that it can be kept; nothing if this model
   * keeps nothing of it.
   */
  default List<LearnedState> saveState() {
    return List.of();
  }

  /**
   * Forgets what was learned from observations and knows instead what a model made alike had
   * learned: both answer alike from then on.
   *
   * @throws IllegalArgumentException if the learned state are not of such a model
   */
  default void restoreState(List<LearnedState> learnedStates) {
    if (!learnedStates.isEmpty()) {
      throw new IllegalArgumentException(
          "only a model that keeps what it learns can restoreState learned state, but this one, a %s,"
                  .formatted(getClass().getSimpleName())
              + " was given "
              + learnedStates.size());
    }
  }
}
