package io.github.liquidscheduler.simulator.elastic;

import io.github.liquidscheduler.simulator.failure.RandomSlowdowns;
import java.util.Objects;

/**
 * Temporarily slow workers, which delay all others of their job at each mini-batch. The process or
 * its machine is slow, not the GPU: a new worker on the same GPU is as fast as any.
 *
 * @param slowdowns the slow periods
 * @param speed the relative speed then; above 0 and below 1
 * @param areReplaced whether jobs replace stragglers, by the rule of the elastic layer
 */
public record Stragglers(RandomSlowdowns slowdowns, double speed, boolean areReplaced) {

  /**
   * Checks the speed.
   *
   * @throws IllegalArgumentException if {@code speed} is out of range
   */
  public Stragglers {
    Objects.requireNonNull(slowdowns, "slowdowns");
    if (!(speed > 0 && speed < 1)) {
      throw new IllegalArgumentException(
          "the speed of a straggler must be above 0 and below 1, but was " + speed);
    }
  }
}
