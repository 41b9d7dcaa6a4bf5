package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.placement.eviction.LeavingSearch;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A rule by which running jobs give way to a waiting one.
 *
 * @param candidates the units that may be lost to it, in order
 * @param job the job, at the size at which it may start
 * @param reach where it may go
 * @param limits the limits of the search
 * @param afterwards what must hold once units are lost; anything if null
 * @param plan the plan made of a result: which units move instead, and the reasons of stops; empty
 *     if the result cannot be carried out
 */
record VictimRule(
    Iterator<? extends EvictionSearch.Candidate> candidates,
    JobSpec job,
    Placer reach,
    EvictionSearch.Limits limits,
    EvictionSearch.@Nullable Acceptance<EvictionSearch.Candidate> afterwards,
    Function<LeavingSearch.Result<EvictionSearch.Candidate>, Optional<EvictionPlan>> plan) {

  /** Returns the limits of a search with this number of candidates beyond those counted. */
  static EvictionSearch.Limits atMost(int more) {
    return new EvictionSearch.Limits(Integer.MAX_VALUE, more, Integer.MAX_VALUE, false);
  }

  /** Returns the rule for the job at other sizes. */
  VictimRule at(JobSpec sized) {
    return new VictimRule(candidates, sized, reach, limits, afterwards, plan);
  }

  /** Returns the plan under which the job starts; empty if there is none. */
  Optional<EvictionPlan> find(ClusterState cluster) {
    return candidates.hasNext()
        ? new EvictionSearch<EvictionSearch.Candidate>(cluster, reach, job, limits, afterwards)
            .fewest(candidates)
            .flatMap(plan)
        : Optional.empty();
  }

  /** A condition that depends on quotas, not on free capacity. */
  record QuotaCondition(EvictionSearch.Acceptance<EvictionSearch.Candidate> condition)
      implements EvictionSearch.Acceptance<EvictionSearch.Candidate> {

    @Override
    public boolean accepts(Placement placement, List<EvictionSearch.Candidate> gone) {
      return condition.accepts(placement, gone);
    }

    @Override
    public boolean isIndependentOfCapacity() {
      return true;
    }
  }
}
