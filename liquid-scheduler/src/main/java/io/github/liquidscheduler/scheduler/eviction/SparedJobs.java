package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.scheduler.queue.JobEntry;
import java.util.Set;
import java.util.function.Predicate;

/** The jobs that give nothing now, and whether a search met one of them. */
final class SparedJobs implements Predicate<JobEntry> {

  private final Set<JobEntry> jobs;
  private boolean isMet;

  /** Makes the filter; {@code jobs} may grow. */
  SparedJobs(Set<JobEntry> jobs) {
    this.jobs = jobs;
  }

  @Override
  public boolean test(JobEntry job) {
    boolean isSpared = !jobs.isEmpty() && jobs.contains(job);
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
