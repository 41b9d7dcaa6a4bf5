package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.placement.eviction.LeavingSearch;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduling.ReclaimRule;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The start of a waiting job together with the evictions and moves that enable it.
 *
 * @param placement the placement of the job
 * @param leaving the victims: whole jobs, or tasks that elastic jobs give up
 * @param moves the moved jobs with their new placements, in an executable order
 * @param rules the rules under which other queues lose jobs, where not by computed shares
 */
public record EvictionPlan(
    Placement placement,
    List<? extends EvictionSearch.Candidate> leaving,
    Map<JobEntry, Placement> moves,
    Map<JobEntry, ReclaimRule> rules) {

  /** Copies the lists. */
  public EvictionPlan {
    leaving = List.copyOf(leaving);
    moves = Collections.unmodifiableMap(new LinkedHashMap<>(moves));
    rules = Collections.unmodifiableMap(new LinkedHashMap<>(rules));
  }

  /** Makes a plan under computed shares. */
  EvictionPlan(
      Placement placement,
      List<? extends EvictionSearch.Candidate> leaving,
      Map<JobEntry, Placement> moves) {
    this(placement, leaving, moves, Map.of());
  }

  /** Returns a plan without moves. */
  static EvictionPlan of(LeavingSearch.Result<EvictionSearch.Candidate> plan) {
    return new EvictionPlan(plan.placement(), plan.leaving(), Map.of());
  }
}
