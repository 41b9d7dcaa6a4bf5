package io.github.liquidscheduler.planning;

/**
 * Places many jobs together. A plan is a function of its request alone if the request limits the
 * search by steps: neither a clock nor chance has a part in it, and nothing is kept from one plan
 * to the next.
 *
 * <p>Every plan holds: applied to the view it was made for, first the migrations in their order and
 * then the starts in theirs, nothing is over-committed at any point, gangs are whole, what is
 * required of the topology holds, and a running job that was not offered for migration stays where
 * it is.
 */
public interface BatchPlanner {

  /** Returns the best plan found. Long work; the request says when it ends. */
  BatchPlan plan(PlanRequest request);
}
