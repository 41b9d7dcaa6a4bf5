package io.github.liquidscheduler.rounds.planner;

/** In which order tasks are given their GPUs. Deterministic. */
public interface TaskOrder {

  /**
   * Returns a number for each round of each job, by position: tasks go in the order of the numbers
   * of their rounds; of equal ones the earlier round goes first, then the earlier job. No number is
   * lower than that of the round before.
   */
  double[][] keys(RoundProblem problem);

  /**
   * Returns the order in which jobs go by how much work they are for their weight, as if the fleet
   * were one GPU that they pass one after the other: Smith's rule, in place of the relaxation that
   * Hare solves (HPDC'22, section 4).
   */
  static TaskOrder byWork() {
    return new WorkOrder();
  }

  /**
   * Returns the order in which half of each round is done if the fleet is one GPU that interrupts
   * its job when one of less work for its weight arrives.
   */
  static TaskOrder byFluid() {
    return new FluidOrder();
  }
}
