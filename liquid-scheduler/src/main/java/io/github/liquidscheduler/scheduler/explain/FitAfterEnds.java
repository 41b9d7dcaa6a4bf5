package io.github.liquidscheduler.scheduler.explain;

import io.github.liquidscheduler.explanation.Counterfactual;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.placement.eviction.LeavingSearch;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduling.Placer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Finds out which running jobs have to end so that a waiting one fits: of those that end soonest,
 * as few as do, and of these none that is not needed. The cluster is as before afterwards.
 */
final class FitAfterEnds {

  /** Nobody is helped by longer lists, and they take long to find. */
  static final EvictionSearch.Limits LIMITS = new EvictionSearch.Limits(4096, 128, 256, true);

  private final EvictionSearch<JobEntry> search;

  FitAfterEnds(ClusterState cluster, Placer placer, JobSpec job) {
    search = new EvictionSearch<>(cluster, placer, job, LIMITS);
  }

  /** Returns the jobs that have to end, given the running jobs in the order of their ends. */
  Optional<Counterfactual.AfterJobsEnd> find(Iterable<JobEntry> soonestToEnd, Instant now) {
    return search
        .fewest(soonestToEnd.iterator())
        .map(LeavingSearch.Result::leaving)
        .filter(needed -> !needed.isEmpty())
        .map(needed -> afterEnds(needed, now));
  }

  private static Counterfactual.AfterJobsEnd afterEnds(List<JobEntry> jobs, Instant now) {
    return new Counterfactual.AfterJobsEnd(
        jobs.stream().map(JobEntry::id).toList(), jobs.getLast().expectedEnd(now));
  }
}
