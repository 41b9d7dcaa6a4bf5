package io.github.liquidscheduler.simulator.ledger;

import com.google.common.collect.HashMultimap;
import com.google.common.collect.SetMultimap;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The job on each GPU. A {@link ClusterLedger} frees what a job gives up at the decision; here the
 * GPU stays occupied until the job has left. Mutable.
 */
public final class GpuOccupancy {

  private final ClusterTopology topology;
  private final @Nullable JobId[] holders;
  // Never iterated.
  private final SetMultimap<JobId, Integer> held = HashMultimap.create();

  /** Makes the occupancy of an idle cluster. */
  public GpuOccupancy(ClusterTopology topology) {
    this.topology = topology;
    holders = new JobId[topology.gpuCount()];
  }

  /** Returns the other jobs that are on GPUs of a placement, in the order of their ids. */
  public Set<JobId> others(Placement placement) {
    Set<JobId> others = new TreeSet<>();
    for (int gpu : gpus(placement)) {
      JobId holder = holders[gpu];
      if (holder != null && !holder.equals(placement.job())) {
        others.add(holder);
      }
    }
    return others;
  }

  /**
   * Lets a job be on the GPUs of its placement too.
   *
   * @throws IllegalStateException if another is on one of them
   */
  public void enter(Placement placement) {
    if (!others(placement).isEmpty()) {
      throw new IllegalStateException(
          "a GPU must be left before another job takes it, but %s are where job '%s' enters"
              .formatted(others(placement), placement.job()));
    }
    for (int gpu : gpus(placement)) {
      holders[gpu] = placement.job();
      held.put(placement.job(), gpu);
    }
  }

  /** Lets a job leave all GPUs that are not of its placement. */
  public void keepOnly(Placement placement) {
    leave(placement.job());
    enter(placement);
  }

  /** Lets a job leave all its GPUs. */
  public void leave(JobId job) {
    held.removeAll(job).forEach(gpu -> holders[gpu] = null);
  }

  private List<Integer> gpus(Placement placement) {
    List<Integer> gpus = new ArrayList<>();
    for (TaskPlacement task : placement.tasks()) {
      int first = topology.gpusBefore(topology.position(task.node()));
      task.gpus().forEach(gpu -> gpus.add(first + gpu));
    }
    return gpus;
  }
}
