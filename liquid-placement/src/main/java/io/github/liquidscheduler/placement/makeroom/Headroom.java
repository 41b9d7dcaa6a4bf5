package io.github.liquidscheduler.placement.makeroom;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.GpuPool;

/**
 * The GPUs of each node that would be free if some jobs went: an upper bound that counts lost GPUs
 * of theirs too, and is far cheaper than having them go and finding a place.
 */
final class Headroom {

  private static final int AWAY = Integer.MIN_VALUE / 2;

  private final int[] gpus;

  /** Makes the headroom of a cluster that nobody has left yet. */
  Headroom(CapacityIndex index) {
    gpus = new int[index.topology().nodes().size()];
    for (GpuPool pool : index.pools()) {
      for (int slot = 0; slot < pool.size(); slot++) {
        gpus[pool.nodeOf(slot)] += pool.free(slot) < 0 ? AWAY : pool.free(slot);
      }
    }
  }

  /** Adds what a job holds. */
  void add(NodeSet footprint) {
    footprint.addTo(gpus);
  }

  /** Returns whether each role by itself would find its GPUs; if not, the job cannot fit. */
  boolean mayHold(JobSpec job) {
    return job.roles().stream().allMatch(this::mayHold);
  }

  private boolean mayHold(TaskRole role) {
    if (role.request().gpus() == 0 || role.request().share().isPresent()) {
      return true;
    }
    long tasks = 0;
    for (int free : gpus) {
      tasks += Math.max(0, free / role.request().gpus());
    }
    return tasks >= role.count();
  }
}
