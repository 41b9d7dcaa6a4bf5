package io.github.liquidscheduler.placement.network;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.cost.CostBreakdown;

/** What the places of a job cost, for a placer to choose the cheapest. */
@FunctionalInterface
public interface PlacementCost {

  /**
   * Returns the cost of candidates for one job. What does not depend on the candidate is worked out
   * here, once.
   */
  JobCost forJob(JobSpec job);

  /** What the places of one job cost. Not thread-safe. */
  interface JobCost {

    /**
     * Returns the cost of a candidate; lower is better. Makes no garbage.
     *
     * @param counts the job's tasks by node
     */
    double of(TaskCounts counts);

    /**
     * Returns the cost of a candidate that has no tasks yet and is changed node by node. It holds
     * until the loads change, or another cost beside them is asked for.
     *
     * @param nodes the number of nodes of the cluster
     * @param roles the number of roles of the job
     */
    default IncrementalCost incremental(int nodes, int roles) {
      return new RecountedCost(this, new TaskCounts(nodes, roles));
    }

    /** Returns the cost of a candidate and what it is made of. */
    CostBreakdown explain(TaskCounts counts);
  }
}
