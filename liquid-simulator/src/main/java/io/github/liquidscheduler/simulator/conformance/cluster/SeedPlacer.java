package io.github.liquidscheduler.simulator.conformance.cluster;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Puts jobs where a case says that they run, and no other job anywhere. Else it is the placer that
 * takes over from it.
 */
final class SeedPlacer implements Placer {

  private final Placer successor;
  private final Map<JobId, Placement> places;

  SeedPlacer(Placer successor, Map<JobId, Placement> places) {
    this.successor = successor;
    this.places = new LinkedHashMap<>(places);
  }

  @Override
  public Optional<Placement> place(ClusterView view, JobSpec job) {
    int tasks = job.roles().stream().mapToInt(TaskRole::count).sum();
    return Optional.ofNullable(places.get(job.id())).filter(place -> place.tasks().size() == tasks);
  }

  @Override
  public boolean isInfeasible(ClusterView idle, JobSpec job) {
    return successor.isInfeasible(idle, job);
  }

  @Override
  public boolean isCapacityBound() {
    return false;
  }

  @Override
  public Map<String, String> parameters() {
    return successor.parameters();
  }

  @Override
  public List<UnmetConstraint> unmetConstraints(ClusterView view, JobSpec job) {
    return successor.unmetConstraints(view, job);
  }
}
