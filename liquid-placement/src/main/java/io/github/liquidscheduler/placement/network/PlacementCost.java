package io.github.liquidscheduler.placement.network;

import io.github.liquidscheduler.job.JobSpec;

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
     * Returns what a candidate would cost if nobody else sent anything, or negative infinity, the
     * default, if that is not known: a search may end at a place that costs no more. Makes no
     * garbage.
     */
    default double quiet(TaskCounts counts) {
      return Double.NEGATIVE_INFINITY;
    }

    /** Returns the cost of a candidate and what it is made of. */
    CostBreakdown explain(TaskCounts counts);
  }
}
