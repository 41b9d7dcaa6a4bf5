package io.github.liquidscheduler.placement.capacity;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A placed job, whose description need not be known, with the amounts it holds: computed once for a
 * topology, since a search for victims frees and takes them many times.
 */
final class PlacedJob {

  private final @Nullable JobSpec job;
  private final Placement placement;
  private final long arrival;
  // One reference to an immutable value, so that copies on other threads may share it.
  private @Nullable Held held;

  private record Held(ClusterTopology topology, List<Holding> all) {}

  PlacedJob(@Nullable JobSpec job, Placement placement, long arrival) {
    this.job = job;
    this.placement = placement;
    this.arrival = arrival;
  }

  /** Returns its number of arrival, which orders it among the placed jobs. */
  long arrival() {
    return arrival;
  }

  @Nullable JobSpec job() {
    return job;
  }

  Placement placement() {
    return placement;
  }

  /** Returns the amounts it holds on each node, adjacent tasks on one node together. */
  @SuppressWarnings("ReferenceEquality") // comparing two of the same content takes long
  List<Holding> held(ClusterTopology topology) {
    @Nullable Held known = held;
    if (known == null || known.topology != topology) {
      known = new Held(topology, holdings(topology));
      held = known;
    }
    return known.all;
  }

  private List<Holding> holdings(ClusterTopology topology) {
    List<Holding> all = new ArrayList<>();
    Holding.@Nullable Amounts last = null;
    for (TaskPlacement task : placement.tasks()) {
      Holding.Amounts next = TaskBooks.holding(task, topology.position(task.node()));
      if (last != null && last.isLike(next)) {
        last = last.and(next);
        all.set(all.size() - 1, last);
      } else {
        last = next;
        all.add(next);
      }
    }
    return List.copyOf(all);
  }
}
