package io.github.liquidscheduler.scheduler.admit;

import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.scheduler.explain.UnmetConstraints;
import io.github.liquidscheduler.scheduler.job.PlacementClass;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.Reason;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The check of jobs against the empty cluster with every node and GPU up. A job is infeasible only
 * if it certainly cannot run there.
 */
public final class Feasibility {

  private static final int MOST_CLASSES = 10_000;

  private final ClusterState cluster;
  // Made at the first use.
  private @Nullable ClusterState empty;
  private final Placer placer;
  // Interned, so that the jobs of a class share one object.
  private final Map<PlacementClass, PlacementClass> feasible = new LinkedHashMap<>();

  /** Makes a check for {@code placer} on the empty cluster of this topology. */
  public Feasibility(ClusterState cluster, Placer placer) {
    this.cluster = cluster;
    this.placer = placer;
  }

  /** Follows a change of the cluster's topology. */
  public void followTopology() {
    empty = cluster.idle();
    feasible.clear();
  }

  private ClusterState empty() {
    @Nullable ClusterState made = empty;
    if (made == null) {
      made = cluster.idle();
      empty = made;
    }
    return made;
  }

  /** Returns the constraints that the cluster can never satisfy; empty if the job can run. */
  public List<UnmetConstraint> unmetConstraints(JobSpec job) {
    PlacementClass placementClass = new PlacementClass(job);
    return !feasible.containsKey(placementClass) ? newConstraints(job, placementClass) : List.of();
  }

  /** Returns the unmet constraints of a job whose class is not cached as feasible. */
  private List<UnmetConstraint> newConstraints(JobSpec job, PlacementClass placementClass) {
    if (placer.isInfeasible(empty(), job)) {
      return UnmetConstraints.of(placer, empty(), job);
    }
    remember(placementClass);
    return List.of();
  }

  /**
   * Returns the class of the job if it can run; otherwise rejects it and returns null. Jobs of one
   * class share one object while the class is cached.
   */
  @Nullable PlacementClass admit(Turn turn, JobSpec job) {
    PlacementClass placementClass = new PlacementClass(job);
    @Nullable PlacementClass found = feasible.get(placementClass);
    if (found != null) {
      return found;
    }
    List<UnmetConstraint> unmet = newConstraints(job, placementClass);
    if (!unmet.isEmpty()) {
      turn.decide(new Decision.Reject(job.id(), new Reason.Infeasible(unmet)));
    }
    return unmet.isEmpty() ? placementClass : null;
  }

  private void remember(PlacementClass placementClass) {
    feasible.put(placementClass, placementClass);
    if (feasible.size() > MOST_CLASSES) {
      Iterator<PlacementClass> oldest = feasible.keySet().iterator();
      oldest.next();
      oldest.remove();
    }
  }
}
