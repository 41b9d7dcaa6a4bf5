package io.github.liquidscheduler.planner.problem;

/**
 * The interference cost of tasks of different jobs on a node: the sum over their pairs. Keeps track
 * of the tasks on each node, by the interference class of their job.
 */
public interface InterferenceScore {

  /** Returns the cost of a pair of tasks of different jobs of these classes. */
  long pairCost(int oneClass, int otherClass);

  /** Returns the cost of one more task of a class beside all tasks on the node. */
  long marginalCost(int jobClass, int node);

  /** Returns the cost of a job's tasks of a class on a node, where they are, beside all others. */
  default long besideOthers(int jobClass, int node, int tasks) {
    return tasks * (marginalCost(jobClass, node) - tasks * pairCost(jobClass, jobClass));
  }

  /** Adds tasks of a class to a node; negative numbers take them away. */
  void add(int jobClass, int node, int tasks);

  /** Returns an independent copy. */
  InterferenceScore copy();

  /**
   * Returns whole numbers whose products are at most the cost of each pair of classes, to bound the
   * cost of nodes from below.
   */
  long[] intensities();

  /** Returns for each node the sum of such numbers of all tasks on it. */
  long[] residents();
}
