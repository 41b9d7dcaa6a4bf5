package io.github.liquidscheduler.lab.baseline;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.cost.CostBreakdown;
import io.github.liquidscheduler.placement.network.TaskCounts;

/** The cost of placements of jobs. */
@FunctionalInterface
public interface PlacementCost {

  /**
   * Returns the cost of candidates for one job. All that does not depend on the candidate is
   * computed here, once.
   */
  JobCost forJob(JobSpec job);

  /** The cost of placements of one job. Not thread-safe. */
  interface JobCost {

    /**
     * Returns the cost of a candidate; lower is better. Makes no garbage.
     *
     * @param counts the job's tasks by node
     */
    double of(TaskCounts counts);

    /** Returns the cost of a candidate and its terms. */
    CostBreakdown explain(TaskCounts counts);
  }
}
