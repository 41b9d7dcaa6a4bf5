package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.quota.Charge;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The candidates of a queue in eviction order. Each is returned once. */
@FunctionalInterface
interface QueueCandidates {

  /**
   * Returns the next candidate, or null.
   *
   * @param mayLose whether the queue may lose a charge now; never true again once it was false
   * @param helps whether a loss of a job is of use; asked last
   */
  EvictionSearch.@Nullable Candidate next(Predicate<Charge> mayLose, Predicate<JobEntry> helps);
}
