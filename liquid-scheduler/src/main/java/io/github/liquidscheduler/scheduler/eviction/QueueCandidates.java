package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.quota.Charge;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What the jobs of a queue lose one after the other. Each thing is lost once. */
@FunctionalInterface
interface QueueCandidates {

  /**
   * Returns what is lost next, or null if nothing is.
   *
   * @param mayLose whether the queue may lose so much now; once it may not, it never may
   * @param helps whether it is of use that a job loses something; asked last
   */
  EvictionSearch.@Nullable Candidate next(Predicate<Charge> mayLose, Predicate<JobEntry> helps);
}
