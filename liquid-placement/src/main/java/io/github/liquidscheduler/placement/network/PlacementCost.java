package io.github.liquidscheduler.placement.network;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.cost.CostBreakdown;

/** What placements of jobs cost. */
@FunctionalInterface
public interface PlacementCost {

  /**
   * Returns the cost of candidates for one job. What does not depend on the candidate is worked out
   * here, once.
   */
  JobCost forJob(JobSpec job);

  /** What placements of one job cost. Not thread-safe. */
  interface JobCost {

    /**
     * Returns the cost of a candidate; lower is better. Makes no garbage.
     *
     * @param counts the job's tasks by node
     */
    double of(TaskCounts counts);

    /** Returns the cost of a candidate and what it is made of. */
    CostBreakdown explain(TaskCounts counts);
  }
}
