package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.colocation.search.ColocationPlacer;
import io.github.liquidscheduler.placement.gang.BestFitPlacer;
import io.github.liquidscheduler.placement.gang.PlacementRules;
import io.github.liquidscheduler.placement.search.LeastCostPlacer;
import io.github.liquidscheduler.scheduling.ForwardingPlacer;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.Optional;

/**
 * Validates the placements of an embedder's placer: the right job, the whole gang as requested, on
 * allowed nodes, within free capacity. The library's own placers are exempt; their contract tests
 * cover the same rules.
 */
record CheckedPlacer(Placer placer) implements ForwardingPlacer {

  /** Returns {@code placer}, wrapped in a check unless it is one of the library's own. */
  static Placer of(Placer placer) {
    boolean ours =
        placer instanceof BestFitPlacer
            || placer instanceof LeastCostPlacer
            || placer instanceof ColocationPlacer;
    return ours ? placer : new CheckedPlacer(placer);
  }

  /**
   * {@inheritDoc} An answer on a node that is over-full is none.
   *
   * @throws IllegalStateException if the placement violates a rule
   */
  @Override
  public Optional<Placement> place(ClusterView view, JobSpec job) {
    Optional<Placement> found =
        placer.place(view, job).filter(to -> !isOnClosed(to, ClusterState.of(view)));
    found.ifPresent(placement -> require(view, job, placement));
    return found;
  }

  /** Returns true if a node takes nothing although it is up, which no view shows. */
  private static boolean isOnClosed(Placement placement, ClusterState state) {
    return placement.nodes().stream()
        .filter(state.topology()::contains)
        .filter(node -> state.health(node) == NodeHealth.UP)
        .mapToInt(state.topology()::position)
        .anyMatch(node -> state.index().health(node) != NodeHealth.UP);
  }

  private void require(ClusterView view, JobSpec job, Placement placement) {
    if (!placement.job().equals(job.id())) {
      throw wrong("it is of job '" + placement.job() + "'", job, placement);
    }
    Optional<String> broken = new PlacementRules(view.topology(), job).brokenBy(placement);
    if (broken.isPresent()) {
      throw wrong(broken.get(), job, placement);
    }
    if (!ClusterState.of(view).fits(placement)) {
      throw wrong("it does not fit what is free", job, placement);
    }
  }

  private IllegalStateException wrong(String rule, JobSpec job, Placement placement) {
    return new IllegalStateException(
        "placer %s must answer with a placement of the whole job where it is allowed and fits, but %s, for job '%s': %s"
            .formatted(placer.getClass().getName(), rule, job.id(), placement));
  }
}
