package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Places jobs where best fit puts them on some nodes drawn at random, else on all. */
public final class RandomPlacer implements Placer {

  private final Placer bestFit = BestFitPlacer.bestFit();
  private final long seed;

  public RandomPlacer(long seed) {
    this.seed = seed;
  }

  @Override
  public Optional<Placement> place(ClusterView view, JobSpec job) {
    Random random = new Random(seed);
    ClusterState some = ClusterState.copyOf(view);
    for (Node node : some.topology().nodes()) {
      if (random.nextBoolean()) {
        some.setHealth(node.id(), NodeHealth.DRAINING);
      }
    }
    return bestFit.place(some, job).or(() -> bestFit.place(view, job));
  }

  @Override
  public List<UnmetConstraint> unmetConstraints(ClusterView view, JobSpec job) {
    return bestFit.unmetConstraints(view, job);
  }
}
