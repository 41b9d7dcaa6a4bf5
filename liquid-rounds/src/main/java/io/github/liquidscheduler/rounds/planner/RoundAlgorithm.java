package io.github.liquidscheduler.rounds.planner;

/** Says when each task of jobs that train in rounds runs on which GPU. Deterministic. */
@FunctionalInterface
public interface RoundAlgorithm {

  /** Returns a plan in which every task runs once. */
  RoundPlan plan(RoundProblem problem);
}
