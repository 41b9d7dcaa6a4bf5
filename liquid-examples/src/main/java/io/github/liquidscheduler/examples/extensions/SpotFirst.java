package io.github.liquidscheduler.examples.extensions;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.scheduling.ForwardingPlacer;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.Optional;

/** A placer: jobs that may be stopped go to nodes labelled {@code lifecycle=spot} if they fit. */
public final class SpotFirst implements ForwardingPlacer {
  private final Placer bestFit = Placers.bestFit();

  @Override
  public Placer placer() {
    return bestFit;
  }

  @Override
  public Optional<Placement> place(ClusterView view, JobSpec job) {
    return Optional.of(job)
        .filter(JobSpec::isPreemptible)
        .map(any -> any.toBuilder().nodeLabel("lifecycle", "spot").build())
        .flatMap(onSpot -> bestFit.place(view, onSpot))
        .or(() -> bestFit.place(view, job));
  }
}
