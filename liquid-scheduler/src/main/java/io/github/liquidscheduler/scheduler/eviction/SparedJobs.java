package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.scheduler.job.JobEntry;
import java.util.function.Predicate;

/**
 * The jobs that give nothing at this instant, and whether a search met one of them: nobody is
 * stopped, shrunk or moved for another at the instant at which it started, grew or moved.
 */
final class SparedJobs implements Predicate<JobEntry> {

  private final Predicate<JobEntry> jobs;
  private final boolean isLater;
  private boolean isMet;

  private SparedJobs(Predicate<JobEntry> jobs, boolean isLater) {
    this.jobs = jobs;
    this.isLater = isLater;
  }

  /** Returns the filter of a search at this instant. */
  static SparedJobs now(Predicate<JobEntry> jobs) {
    return new SparedJobs(jobs, false);
  }

  /** Returns the filter of a search as if at a later instant. */
  static SparedJobs later(Predicate<JobEntry> jobs) {
    return new SparedJobs(jobs, true);
  }

  /** Returns true if a winner must not search at this instant, for which it may have a reason. */
  boolean refuses(boolean hasReason) {
    meet(hasReason && !isLater);
    return hasReason && !isLater;
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
