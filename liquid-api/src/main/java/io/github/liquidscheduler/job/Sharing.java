package io.github.liquidscheduler.job;

/** The sharing class of a job: whether it may share its GPUs, and what it is promised then. */
public sealed interface Sharing {

  /** Nobody else runs on the job's GPUs. */
  record Exclusive() implements Sharing {}

  /**
   * The job may share a GPU while its predicted speed stays at or above a floor.
   *
   * @param floor the least retained speed, as a part of the speed alone, in (0, 1]
   */
  record Guaranteed(double floor) implements Sharing {
    /**
     * Checks the floor.
     *
     * @throws IllegalArgumentException if {@code floor} is not in (0, 1]
     */
    public Guaranteed {
      if (!(floor > 0 && floor <= 1)) {
        throw new IllegalArgumentException(
            "a guaranteed floor of retained speed must be in (0, 1], but was " + floor);
      }
    }
  }

  /** The job runs on whatever is left over and may be slowed or stopped at any time. */
  record Opportunistic() implements Sharing {}
}
