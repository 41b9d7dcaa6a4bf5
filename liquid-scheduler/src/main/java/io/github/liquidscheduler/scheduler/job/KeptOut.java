package io.github.liquidscheduler.scheduler.job;

import io.github.liquidscheduler.job.JobId;
import java.util.List;

/**
 * A failed attempt of a waiting job to start beside reservations, which speaks for the jobs of its
 * class that run no shorter and pass no other reservation.
 *
 * @param length the expected run time, in nanoseconds; 0 if no other would have helped
 * @param passed the holders of reservations that did not count for the job
 * @param lasts whether it speaks until capacity grows, or only until jobs are looked through again
 */
public record KeptOut(long length, List<JobId> passed, boolean lasts) {

  /** Returns true if it speaks for all jobs of the class. */
  public boolean speaksForAll() {
    return length == 0;
  }

  /**
   * Returns true if it speaks for a job of the class.
   *
   * @param length its expected run time, in nanoseconds
   * @param passed the holders of reservations that do not count for it
   */
  public boolean speaksFor(long length, List<JobId> passed) {
    return speaksForAll() || (length >= this.length && this.passed.containsAll(passed));
  }
}
