package io.github.liquidscheduler.scheduler.backfill;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduling.ForwardingPlacer;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A placer that keeps off reservations: where the first placement is in their way, one beside their
 * nodes.
 *
 * @param placer the wrapped placer
 * @param nodes the nodes of the reservations
 * @param isFree whether a placement is in no reservation's way
 */
record BesideClaims(Placer placer, Set<String> nodes, Predicate<Placement> isFree)
    implements ForwardingPlacer {

  @Override
  public Optional<Placement> place(ClusterView view, JobSpec job) {
    Optional<Placement> found = placer.place(view, job);
    if (found.isEmpty() || isFree.test(found.get())) {
      return found;
    }
    JobSpec elsewhere = job.toBuilder().excludeNodes(nodes).build();
    return placer.place(view, elsewhere).filter(isFree);
  }

  @Override
  public boolean allows(ClusterView view, JobSpec job, Placement placement) {
    return placer.allows(view, job, placement) && isFree.test(placement);
  }

  /** {@inheritDoc} Not only free capacity decides. */
  @Override
  public boolean isCapacityBound() {
    return false;
  }
}
