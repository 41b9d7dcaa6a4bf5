package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.gang.BestFitPlacer;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.List;
import java.util.Optional;

/** Best fit that counts how often it is asked. */
final class CountingPlacer implements Placer {

  private final Placer placer = BestFitPlacer.bestFit();
  int searches;
  boolean isCapacityBound;

  @Override
  public boolean isCapacityBound() {
    return isCapacityBound;
  }

  @Override
  public Optional<Placement> place(ClusterView view, JobSpec job) {
    searches++;
    return placer.place(view, job);
  }

  @Override
  public List<UnmetConstraint> unmetConstraints(ClusterView view, JobSpec job) {
    return placer.unmetConstraints(view, job);
  }
}
