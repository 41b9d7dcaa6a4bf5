package io.github.liquidscheduler.simulator.ledger;

import com.google.common.collect.HashMultimap;
import com.google.common.collect.SetMultimap;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The job on each GPU. A {@link ClusterLedger} frees what a job gives up at the decision; here the
 * GPU stays occupied until the job has left. Mutable.
 */
public final class GpuOccupancy {

  // Neither is ever iterated.
  private final Map<GpuId, JobId> holders = new HashMap<>();
  private final SetMultimap<JobId, GpuId> held = HashMultimap.create();

  /** Returns the other jobs that are on GPUs of a placement, in the order of their ids. */
  public Set<JobId> others(Placement placement) {
    Set<JobId> others = new TreeSet<>();
    placement.gpuIds().forEach(gpu -> others.add(holders.getOrDefault(gpu, placement.job())));
    others.remove(placement.job());
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
    placement
        .gpuIds()
        .forEach(
            gpu -> {
              holders.put(gpu, placement.job());
              held.put(placement.job(), gpu);
            });
  }

  /** Lets a job leave all GPUs that are not of its placement. */
  public void keepOnly(Placement placement) {
    leave(placement.job());
    enter(placement);
  }

  /** Lets a job leave all its GPUs. */
  public void leave(JobId job) {
    held.removeAll(job).forEach(holders::remove);
  }
}
