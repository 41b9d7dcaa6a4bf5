package io.github.liquidscheduler.scheduler.explain;

import io.github.liquidscheduler.explanation.Counterfactual;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.placement.eviction.LeavingSearch;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduling.Placer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Finds a minimal set of running jobs whose ends let a waiting job fit: as few as possible of those
 * that end soonest, without needless ones. The cluster is unchanged afterwards.
 */
final class FitAfterEnds {

  /** Limits of the search; longer lists are useless and slow to find. */
  static final EvictionSearch.Limits LIMITS = new EvictionSearch.Limits(4096, 128, 256, true);

  private final EvictionSearch<JobEntry> search;

  FitAfterEnds(ClusterState cluster, Placer placer, JobSpec job) {
    search = new EvictionSearch<>(cluster, placer, job, LIMITS);
  }

  /**
   * Returns the jobs that must end.
   *
   * @param soonestToEnd the running jobs by expected end
   */
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
