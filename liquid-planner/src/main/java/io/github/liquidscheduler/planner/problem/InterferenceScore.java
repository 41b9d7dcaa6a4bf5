package io.github.liquidscheduler.planner.problem;

/**
 * What tasks of different jobs on a node cost each other: a price for each pair of tasks. Keeps
 * track of who is where; tasks are told apart by the kind of their job.
 */
public interface InterferenceScore {

  /** Returns the price of a pair of tasks of different jobs of these kinds. */
  long pair(int oneKind, int otherKind);

  /** Returns the price of one more task of a kind beside all tasks on the node. */
  long rate(int kind, int node);

  /** Adds tasks of a kind to a node; negative numbers take them away. */
  void add(int kind, int node, int tasks);

  /** Returns neighbours equal to these that go their own way from here. */
  InterferenceScore copy();

  /**
   * Returns whole numbers whose products are at most the price of each pair of kinds, to bound the
   * cost of nodes from below.
   */
  long[] intensities();

  /** Returns for each node the sum of such numbers of all tasks on it. */
  long[] residents();
}
