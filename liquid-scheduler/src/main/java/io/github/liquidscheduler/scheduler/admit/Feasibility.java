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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether the cluster could hold a job if it were empty and every node and GPU were up. Only
 * if it is certain that it could not is a job infeasible.
 */
public final class Feasibility {

  private static final int MOST_CLASSES = 10_000;

  private ClusterTopology topology;
  // Made when somebody first asks for it.
  private @Nullable ClusterState empty;
  private final Placer placer;
  // Each by itself, so that the jobs of a class share one object.
  private final Map<PlacementClass, PlacementClass> feasible = new LinkedHashMap<>();

  /** Makes a check of what {@code placer} can place in an empty cluster of this topology. */
  public Feasibility(ClusterTopology topology, Placer placer) {
    this.topology = topology;
    this.placer = placer;
  }

  /** Has later answers be about another cluster. */
  void changeTopology(ClusterTopology topology) {
    this.topology = topology;
    if (empty != null) {
      empty.changeTopology(topology);
    }
    feasible.clear();
  }

  private ClusterState empty() {
    @Nullable ClusterState known = empty;
    if (known == null) {
      known = ClusterState.of(topology);
      empty = known;
    }
    return known;
  }

  /** Returns what the job asks that the cluster will never have; nothing if it can run. */
  public List<UnmetConstraint> unmetConstraints(JobSpec job) {
    PlacementClass placementClass = new PlacementClass(job);
    return feasible.containsKey(placementClass) ? List.of() : newConstraints(job, placementClass);
  }

  /** Returns the same for a job of which no other of its class is known to be feasible. */
  private List<UnmetConstraint> newConstraints(JobSpec job, PlacementClass placementClass) {
    if (placer.isInfeasible(empty(), job)) {
      return UnmetConstraints.of(placer, empty(), job);
    }
    remember(placementClass);
    return List.of();
  }

  /**
   * Returns the class of the job if it can run; if not, decides to reject it and returns null. Jobs
   * of one class get the same object as long as the class is remembered.
   */
  @Nullable PlacementClass admit(Turn turn, JobSpec job) {
    PlacementClass placementClass = new PlacementClass(job);
    @Nullable PlacementClass known = feasible.get(placementClass);
    if (known != null) {
      return known;
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
