package io.github.liquidscheduler.simulator.conditions;

import java.time.Duration;

/**
 * Time in which a job holds its GPUs without getting on.
 *
 * @param start at every start: pulling images, starting processes, loading data
 * @param resume on top of it at every start after the first, and at each change of a running job's
 *     placement: writing and reading a checkpoint
 */
public record Overheads(Duration start, Duration resume) {

  /** No overheads, which is what most published simulators assume; the default. */
  public static final Overheads NONE = new Overheads(Duration.ZERO, Duration.ZERO);

  /**
   * Checks the times.
   *
   * @throws IllegalArgumentException if one is negative or longer than a day
   */
  public Overheads {
    require("start", start);
    require("resume", resume);
  }

  private static void require(String what, Duration time) {
    if (time.isNegative() || time.compareTo(Duration.ofDays(1)) > 0) {
      throw new IllegalArgumentException(
          "the overhead of a %s must be from 0 s to a day, but was %s".formatted(what, time));
    }
  }
}
