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
  // Of the same topology, and not to be changed; null if there is none.
  private @Nullable Feasibility known;

  /** Makes a check of what {@code placer} can place in an empty cluster of this topology. */
  public Feasibility(ClusterTopology topology, Placer placer) {
    this(topology, placer, null);
  }

  private Feasibility(ClusterTopology topology, Placer placer, @Nullable Feasibility known) {
    this.topology = topology;
    this.placer = placer;
    this.known = known;
  }

  /**
   * Returns a check of what an equal placer can place, which knows all that this one does. This one
   * must not be used, and its topology not change, as long as that is.
   */
  public Feasibility lentTo(Placer equal) {
    return new Feasibility(topology, equal, this);
  }

  /** Has later answers be about another cluster. */
  void changeTopology(ClusterTopology topology) {
    this.topology = topology;
    known = null;
    if (empty != null) {
      empty.changeTopology(topology);
    }
    feasible.clear();
  }

  private ClusterState empty() {
    if (known != null) {
      return known.empty();
    }
    @Nullable ClusterState made = empty;
    if (made == null) {
      made = ClusterState.of(topology);
      empty = made;
    }
    return made;
  }

  private @Nullable PlacementClass find(PlacementClass like) {
    @Nullable PlacementClass found = feasible.get(like);
    return found == null && known != null ? known.find(like) : found;
  }

  /** Returns what the job asks that the cluster will never have; nothing if it can run. */
  public List<UnmetConstraint> unmetConstraints(JobSpec job) {
    PlacementClass placementClass = new PlacementClass(job);
    return find(placementClass) == null ? newConstraints(job, placementClass) : List.of();
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
    @Nullable PlacementClass found = find(placementClass);
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
