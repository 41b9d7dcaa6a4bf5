package io.github.liquidscheduler.simulator.fairness;

import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.simulator.metrics.JctStatistics;
import java.util.Objects;
import java.util.Optional;

/**
 * The use of one queue in a simulation.
 *
 * @param queue the queue, a leaf of the tree
 * @param times completion and queueing times of its finished jobs, or empty if none finished
 * @param heldGpuSeconds the GPU time that its jobs held while some of them waited or ran
 * @param dueGpuSeconds the GPU time that was due to it meanwhile
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
