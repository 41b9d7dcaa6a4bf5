package io.github.liquidscheduler.simulator.elastic;

import io.github.liquidscheduler.text.Count;
import java.util.Objects;

/**
 * An elastic job as it is submitted.
 *
 * @param id the identity, unique in its trace, at least 0
 * @param arrival when it is submitted, in whole seconds from the start of the trace, at least 0
 * @param work what it has to do
 * @param sizes the numbers of GPUs its user names
 */
public record ElasticJob(long id, long arrival, Work work, Sizes sizes) {

  /**
   * Checks the job.
   *
   * @throws IllegalArgumentException if {@code id} or {@code arrival} is negative, or the curve
   *     ends below the submitted size or the minimum
   */
  public ElasticJob {
    if (id < 0 || arrival < 0) {
      throw new IllegalArgumentException(
          "the id and arrival of a job must not be negative, but were " + id + " and " + arrival);
    }
    int largest = work.curve().largest();
    int needed = Math.max(sizes.submitted(), sizes.minimum());
    if (needed > largest) {
      throw new IllegalArgumentException(
          "the curve of %s must reach the size and the minimum of job %d, %s, but ends at %d"
              .formatted(work.model(), id, Count.of(needed, "GPU"), largest));
    }
  }

  /** The work of a job: at least one iteration, as fast as the curve of its model says. */
  public record Work(String model, ThroughputCurve curve, long iterations) {

    /**
     * Checks the iterations.
     *
     * @throws IllegalArgumentException if there is none
     */
    public Work {
      Objects.requireNonNull(model, "model");
      Objects.requireNonNull(curve, "curve");
      if (iterations < 1) {
        throw new IllegalArgumentException(
            "a job must have at least 1 iteration, but had " + iterations);
      }
    }
  }

  /** The GPUs on which a job runs if nothing changes that, and the fewest and most, from 1. */
  public record Sizes(int submitted, int minimum, int maximum) {

    /**
     * Checks the sizes.
     *
     * @throws IllegalArgumentException if a size is less than 1, or the maximum is too small
     */
    public Sizes {
      if (submitted < 1 || minimum < 1 || maximum < Math.max(submitted, minimum)) {
        throw new IllegalArgumentException(
            "sizes must be at least 1, and the maximum no less than size and minimum, but size was"
                + " %d, minimum %d and maximum %d".formatted(submitted, minimum, maximum));
      }
    }
  }
}
