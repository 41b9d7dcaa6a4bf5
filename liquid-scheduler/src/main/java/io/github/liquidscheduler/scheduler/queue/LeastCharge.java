package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.quota.Charge;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A lower bound of what any job of a changing set charges, for each resource. Removed jobs lower it
 * until as many have come or gone as there are, so that a question costs O(1) jobs on average.
 */
final class LeastCharge {

  private @Nullable Charge least;
  private int jobs;
  private int changes;
  // Not in the bound yet.
  private final List<JobEntry> added = new ArrayList<>();

  /** Notes an added job. */
  void add(JobEntry job) {
    jobs++;
    added.add(job);
    noteChange();
  }

  /** Notes a removed job. */
  void remove() {
    jobs--;
    noteChange();
  }

  private void noteChange() {
    if (++changes > jobs) {
      least = null;
      added.clear();
    }
  }

  /**
   * Returns the bound.
   *
   * @param all the jobs that were added and not removed, of which there is one
   * @param charges the charge of a job
   */
  Charge of(OrderedJobs all, Function<JobEntry, Charge> charges) {
    @Nullable Charge known = least;
    Iterable<JobEntry> others = added;
    if (known == null) {
      known = charges.apply(all.first());
      others = all;
      changes = 0;
    }
    for (JobEntry job : others) {
      known = known.min(charges.apply(job));
    }
    added.clear();
    least = known;
    return known;
  }
}
