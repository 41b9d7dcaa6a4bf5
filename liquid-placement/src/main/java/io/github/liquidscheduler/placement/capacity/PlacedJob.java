package io.github.liquidscheduler.placement.capacity;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job that is placed, whose description need not be known, and what it holds in numbers: worked
 * out once for a topology, since a search for those who leave frees and takes it many times.
 */
final class PlacedJob {

  private final @Nullable JobSpec job;
  private final Placement placement;
  // One reference to what does not change, so that copies on other threads may share it.
  private @Nullable Held held;

  private record Held(ClusterTopology topology, List<Holding> all) {}

  PlacedJob(@Nullable JobSpec job, Placement placement) {
    this.job = job;
    this.placement = placement;
  }

  @Nullable JobSpec job() {
    return job;
  }

  Placement placement() {
    return placement;
  }

  /** Returns what it holds of each node, tasks side by side on one node together. */
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
