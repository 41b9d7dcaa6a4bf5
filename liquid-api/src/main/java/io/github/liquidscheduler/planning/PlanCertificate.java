package io.github.liquidscheduler.planning;

import io.github.liquidscheduler.job.JobId;
import java.util.List;
import java.util.Objects;

/**
 * The cost of a batch plan, and a bound on its distance from the best. Costs are what the planner
 * minimises, in seconds, over the jobs that the plan starts; 0 is the least that there can be.
 *
 * @param cost the cost of the plan
 * @param greedyCost the cost of placing the same jobs one by one, each where it costs least then
 * @param lowerBound a cost proved to be no more than that of any plan; 0 if nothing was proved
 * @param movesEvaluated how many changes of the plan were tried
 * @param topContributors the jobs that contribute most to the cost, the costliest first; not all
 *     need be here
 */
public record PlanCertificate(
    double cost,
    double greedyCost,
    double lowerBound,
    long movesEvaluated,
    List<JobCost> topContributors) {

  /**
   * Checks the parts and copies the jobs.
   *
   * @throws IllegalArgumentException if a cost is negative or not finite, the bound is above the
   *     cost, the number of moves is negative, or the jobs are not each named once, the costliest
   *     first
   */
  public PlanCertificate {
    requireCost(cost, "cost");
    requireCost(greedyCost, "greedyCost");
    requireCost(lowerBound, "lowerBound");
    if (lowerBound > cost) {
      throw new IllegalArgumentException(
          "a lower bound must not be above the cost, but was %s above %s"
              .formatted(lowerBound, cost));
    }
    if (movesEvaluated < 0) {
      throw new IllegalArgumentException(
          "the moves evaluated must not be negative, but were " + movesEvaluated);
    }
    topContributors = List.copyOf(topContributors);
    JobId.requireDistinct(
        topContributors.stream().map(JobCost::job).toList(), "the top contributors of a plan");
    requireCostliestFirst(topContributors);
  }

  /**
   * Returns the largest fraction of the cost that a better plan could save: (cost − lower bound) ÷
   * cost, from 0 for a plan that is proved the best to 1 if nothing is known. 0 if the plan costs
   * nothing.
   */
  public double gap() {
    return cost > 0 ? (cost - lowerBound) / cost : 0;
  }

  /**
   * The share of one job in the cost of a plan.
   *
   * @param cost its part of the cost, in the same unit
   */
  public record JobCost(JobId job, double cost) {
    /**
     * Checks the parts.
     *
     * @throws IllegalArgumentException if the cost is negative or not finite
     */
    public JobCost {
      Objects.requireNonNull(job, "job");
      requireCost(cost, "cost of job '" + job + "'");
    }
  }

  private static void requireCostliestFirst(List<JobCost> jobs) {
    for (int i = 1; i < jobs.size(); i++) {
      if (jobs.get(i).cost() > jobs.get(i - 1).cost()) {
        throw new IllegalArgumentException(
            "the costliest job must come first, but %s comes after %s"
                .formatted(jobs.get(i), jobs.get(i - 1)));
      }
    }
  }

  private static void requireCost(double cost, String name) {
    if (!(Double.isFinite(cost) && cost >= 0)) {
      throw new IllegalArgumentException(
          "a plan's %s must be finite and not negative, but was %s".formatted(name, cost));
    }
  }
}
