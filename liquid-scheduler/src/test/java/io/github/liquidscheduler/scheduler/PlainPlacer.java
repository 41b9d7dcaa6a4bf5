package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.testkit.PlainCluster;
import java.util.List;
import java.util.Optional;

/** A placer of an embedder: it believes what the view says of running jobs, and nothing else. */
final class PlainPlacer implements Placer {

  @Override
  public Optional<Placement> place(ClusterView view, JobSpec job) {
    return Placers.bestFit().place(plain(view), job);
  }

  @Override
  public List<UnmetConstraint> unmetConstraints(ClusterView view, JobSpec job) {
    return Placers.bestFit().unmetConstraints(plain(view), job);
  }

  private static ClusterView plain(ClusterView view) {
    return PlainCluster.copyOf(view, any -> Optional.empty());
  }
}
