package io.github.liquidscheduler.estimator.performance;

import io.github.liquidscheduler.prediction.ThroughputModel.Replicas;
import java.util.Objects;

/**
 * The measured time of an iteration.
 *
 * @param replicas on how many GPUs and nodes
 * @param localBatch the samples on each GPU, positive
 * @param seconds the time, positive and finite
 */
public record ThroughputPoint(Replicas replicas, double localBatch, double seconds) {

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public ThroughputPoint {
    Objects.requireNonNull(replicas, "replicas");
    if (!(localBatch > 0 && seconds > 0 && localBatch + seconds < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "a batch and its time must be positive and finite, but were %s samples in %s s"
              .formatted(localBatch, seconds));
    }
  }

  boolean isAcrossNodes() {
    return replicas.nodes() > 1;
  }

  boolean isWithinNode() {
    return replicas.nodes() == 1 && replicas.gpus() > 1;
  }
}
