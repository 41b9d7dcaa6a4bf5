package io.github.liquidscheduler.placement.search;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.network.PhysicalCost;
import io.github.liquidscheduler.placement.network.TaskCounts;

/** The lowest cost of a job of one role with one GPU a task, over all ways to spread its tasks. */
final class ExhaustiveCost {

  private final int[] free;
  private final int tasks;
  private final TaskCounts counts;
  private final PhysicalCost.JobCost cost;
  private double lowest = Double.POSITIVE_INFINITY;

  ExhaustiveCost(ClusterState state, JobSpec job) {
    free = state.topology().nodes().stream().mapToInt(node -> state.freeGpus(node.id())).toArray();
    tasks = job.tasks();
    counts = new TaskCounts(free.length, 1);
    cost = PhysicalCost.of(state.loads().model(), state.loads()).forJob(job);
  }

  double lowest() {
    spread(0, tasks);
    return lowest;
  }

  private void spread(int node, int left) {
    if (left == 0) {
      lowest = Math.min(lowest, cost.of(counts));
      return;
    }
    for (int here = 0; node < free.length && here <= Math.min(free[node], left); here++) {
      if (here > 0) {
        counts.add(node, 0, here);
      }
      spread(node + 1, left - here);
      if (here > 0) {
        counts.remove(node, 0, here);
      }
    }
  }
}
