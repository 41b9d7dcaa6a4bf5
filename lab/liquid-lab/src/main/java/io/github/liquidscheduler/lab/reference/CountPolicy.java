package io.github.liquidscheduler.lab.reference;

import java.util.List;

/** A scheduling policy for a cluster that is a number of GPUs. Holds the queues of one run. */
interface CountPolicy {

  /** What {@link #wakeUp} returns when only arrivals and ends matter. */
  long NEVER = Long.MAX_VALUE;

  /** Takes note of a job that has just arrived, after those that arrived before. */
  default void arrived(CountedJob job) {}

  /** Takes note of a job that has just finished. */
  default void finished(CountedJob job) {}

  /**
   * Returns the jobs in the order in which they are to get GPUs; those that get none wait or are
   * stopped. Called once at each event, when what jobs have executed is up to date.
   *
   * @param unfinished the jobs that have arrived and not finished, in the order of arrival
   */
  List<CountedJob> order(List<CountedJob> unfinished);

  /** Returns whether jobs behind one that does not fit may run. */
  default boolean allowsBypass() {
    return true;
  }

  /**
   * Returns when, after {@code now}, this policy wants to decide again although no job arrives or
   * ends, or {@link #NEVER}.
   */
  default long wakeUp(List<CountedJob> unfinished, long now) {
    return NEVER;
  }
}
