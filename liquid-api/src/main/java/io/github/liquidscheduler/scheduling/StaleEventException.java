package io.github.liquidscheduler.scheduling;

import io.github.liquidscheduler.job.JobId;

/**
 * An event came too late: it says of a job that ran once what only a running job can do, but the
 * scheduler has pre-empted it, lost it with a node, or seen it end meanwhile. That happens wherever
 * reports and decisions cross on their way, and may be ignored; the scheduler's state is unchanged.
 */
public final class StaleEventException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private final String job;

  /** Makes an exception about an event of {@code job}. */
  public StaleEventException(JobId job, String message) {
    super(message);
    this.job = job.value();
  }

  /** Returns the job that the event is about. */
  public JobId job() {
    return JobId.of(job);
  }
}
