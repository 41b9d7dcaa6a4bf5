package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.scheduler.queue.JobEntry;
import java.util.function.Predicate;

/**
 * The jobs that give nothing at this instant, and whether a search met one of them: nobody is
 * stopped, shrunk or moved for another at the instant at which it started, grew or moved.
 */
final class SparedJobs implements Predicate<JobEntry> {

  private final Predicate<JobEntry> jobs;
  private boolean isMet;

  /** Makes the filter. */
  SparedJobs(Predicate<JobEntry> jobs) {
    this.jobs = jobs;
  }

  @Override
  public boolean test(JobEntry job) {
    boolean isSpared = jobs.test(job);
    meet(isSpared);
    return isSpared;
  }

  /** Notes whether such a job might have helped. */
  void meet(boolean mightHelp) {
    isMet |= mightHelp;
  }

  /** Returns true if such a job might have helped. */
  boolean isMet() {
    return isMet;
  }
}
