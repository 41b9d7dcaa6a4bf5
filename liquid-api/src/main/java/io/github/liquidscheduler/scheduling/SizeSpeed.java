package io.github.liquidscheduler.scheduling;

import io.github.liquidscheduler.text.Count;

/**
 * The speed of a job at one of its sizes.
 *
 * @param tasks the tasks of its first role, at least 1
 * @param iterationsPerSecond how many iterations it did in a second, positive and finite
 */
public record SizeSpeed(int tasks, double iterationsPerSecond) {

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public SizeSpeed {
    if (tasks < 1 || !(iterationsPerSecond > 0 && iterationsPerSecond < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "a size and its speed must be positive and finite, but were %s at %s iterations per second"
              .formatted(Count.of(tasks, "task"), iterationsPerSecond));
    }
  }
}
