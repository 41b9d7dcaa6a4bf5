package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.placement.eviction.LeavingSearch;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduling.Reason;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where a waiting job starts, and what becomes of those who are in its way.
 *
 * @param placement where it starts
 * @param leaving who leaves for good, or what they give up
 * @param moves who goes on elsewhere, in an order in which each finds its place free
 * @param reasons why somebody leaves, if that is known already
 */
public record EvictionPlan(
    Placement placement,
    List<? extends EvictionSearch.Candidate> leaving,
    Map<JobEntry, Placement> moves,
    Map<JobEntry, Reason> reasons) {

  /** Copies the lists. */
  public EvictionPlan {
    leaving = List.copyOf(leaving);
    moves = Collections.unmodifiableMap(new LinkedHashMap<>(moves));
    reasons = Collections.unmodifiableMap(new LinkedHashMap<>(reasons));
  }

  /** Makes a room of which it is known who leaves, but not yet why. */
  EvictionPlan(
      Placement placement,
      List<? extends EvictionSearch.Candidate> leaving,
      Map<JobEntry, Placement> moves) {
    this(placement, leaving, moves, Map.of());
  }

  /** Returns a room for which nobody moves. */
  public static EvictionPlan of(LeavingSearch.Result<? extends EvictionSearch.Candidate> plan) {
    return new EvictionPlan(plan.placement(), plan.leaving(), Map.of());
  }
}
