package io.github.liquidscheduler.scheduler.admit;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.scheduler.explain.UnmetConstraints;
import io.github.liquidscheduler.scheduler.queue.PlacementClass;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.Reason;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Tells whether the cluster could hold a job if it were empty and every node and GPU were up. Only
 * if it is certain that it could not is a job infeasible.
 */
public final class Feasibility {

  private static final int MOST_CLASSES = 10_000;

  private final ClusterState empty;
  private final Placer placer;
  private final Set<PlacementClass> feasible = new LinkedHashSet<>();

  /** Makes a check of what {@code placer} can place in an empty cluster of this topology. */
  public Feasibility(ClusterTopology topology, Placer placer) {
    empty = ClusterState.of(topology);
    this.placer = placer;
  }

  /** Has later answers be about another cluster. */
  void changeTopology(ClusterTopology topology) {
    empty.changeTopology(topology);
    feasible.clear();
  }

  /** Returns what the job asks that the cluster will never have; nothing if it can run. */
  public List<UnmetConstraint> unmetConstraints(JobSpec job) {
    return unmetConstraints(job, new PlacementClass(job));
  }

  private List<UnmetConstraint> unmetConstraints(JobSpec job, PlacementClass placementClass) {
    if (feasible.contains(placementClass)) {
      return List.of();
    }
    if (placer.isInfeasible(empty, job)) {
      return UnmetConstraints.of(placer, empty, job);
    }
    remember(placementClass);
    return List.of();
  }

  /** Returns whether the job, of this class, can run; if not, decides to reject it. */
  boolean admits(Turn turn, JobSpec job, PlacementClass placementClass) {
    List<UnmetConstraint> unmet = unmetConstraints(job, placementClass);
    if (!unmet.isEmpty()) {
      turn.decide(new Decision.Reject(job.id(), new Reason.Infeasible(unmet)));
    }
    return unmet.isEmpty();
  }

  private void remember(PlacementClass placementClass) {
    feasible.add(placementClass);
    if (feasible.size() > MOST_CLASSES) {
      Iterator<PlacementClass> oldest = feasible.iterator();
      oldest.next();
      oldest.remove();
    }
  }
}
