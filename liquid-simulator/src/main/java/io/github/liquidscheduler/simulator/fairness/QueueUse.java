package io.github.liquidscheduler.simulator.fairness;

import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.simulator.metrics.JctStatistics;
import java.util.Objects;
import java.util.Optional;

/**
 * The use of one queue, a leaf of the tree: the times of its finished jobs, if any, and the GPU
 * time that its jobs held, and that was due to it, while some of them waited or ran.
 */
public record QueueUse(
    QueueName queue, Optional<JctStatistics> times, double heldGpuSeconds, double dueGpuSeconds) {

  /** Checks that nothing is null. */
  public QueueUse {
    Objects.requireNonNull(queue, "queue");
    Objects.requireNonNull(times, "times");
  }

  /** Returns the ratio of held to due GPU time; above 1 if it borrowed, 1 if none was due. */
  public double heldOfDue() {
    return dueGpuSeconds > 0 ? heldGpuSeconds / dueGpuSeconds : 1;
  }
}
