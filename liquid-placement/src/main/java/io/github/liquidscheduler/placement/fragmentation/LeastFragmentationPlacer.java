package io.github.liquidscheduler.placement.fragmentation;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.placement.gang.BestFitPlacer;
import io.github.liquidscheduler.placement.gang.GangPlacer;
import io.github.liquidscheduler.placement.gang.GangShape;
import java.util.List;
import java.util.Optional;

/**
 * Places a job of one task where fragmentation grows least: fragmentation gradient descent (Weng et
 * al., Beware of Fragmentation, USENIX ATC 2023). The fragmentation of a node is the part of its
 * free GPUs that a task of the workload cannot use, on average over the kinds of tasks; the
 * workload is the running tasks and the job itself. Among equals the node with the least GPU left
 * is taken, then the first.
 *
 * <p>Gangs go where {@link BestFitPlacer} puts them: their tasks have to be near each other, which
 * fragmentation ignores.
 *
 * <p>O(nodes x GPUs per node + running tasks + distinct nodes x kinds of tasks x GPUs per node
 * squared): nodes with equal remainders are rated once.
 */
public final class LeastFragmentationPlacer implements GangPlacer {

  private static final BestFitPlacer GANGS = BestFitPlacer.bestFit();

  @Override
  public Optional<Placement> place(ClusterView view, JobSpec job) {
    if (job.tasks() > 1 || job.topology().slices().isPresent() || !job.topologyParts().isEmpty()) {
      return GANGS.place(view, job);
    }
    CapacityIndex index = ClusterState.of(view).index();
    GangShape gang = new GangShape(job, index);
    ClusterTopology topology = index.topology();
    if (!topology.levels().containsAll(gang.topology().requiredLevels())) {
      return Optional.empty();
    }
    NodeRange all = new NodeRange(0, topology.nodes().size());
    TypicalTasks typical = TypicalTasks.of(view, job);
    for (List<GpuPool> pools : gang.choices(index.pools())) {
      Optional<Placement> placement = new NodeSearch(index, gang, typical).best(all, pools);
      if (placement.isPresent()) {
        return placement;
      }
    }
    return Optional.empty();
  }
}
