package io.github.liquidscheduler.planner.problem;

/** The network cost of one gang by its assignment. Not thread-safe. */
@FunctionalInterface
public interface GangNetworkCost {

  /** The cost of a gang that sends nothing. */
  GangNetworkCost NOTHING = (slots, byRole, size) -> 0;

  /**
   * Returns the cost of a candidate in units; never negative.
   *
   * @param slots the slots used, the first {@code size} entries; distinct
   * @param byRole the tasks of each role on each slot, slot after slot
   */
  long of(int[] slots, int[] byRole, int size);

  /**
   * Returns about what a pair of tasks on two nodes of a rack costs, to guide the choice of nodes.
   */
  default long pairHint() {
    return 0;
  }

  /**
   * Returns a lower bound of the cost of each pair of tasks on different nodes: any assignment
   * costs at least this times the number of such pairs. 0 if none is known.
   */
  default long leastPair() {
    return 0;
  }

  /** Returns by how much each pair on different racks costs more at least. */
  default long leastFarther() {
    return 0;
  }

  /**
   * Returns the least cost of any assignment of the gang, in addition to {@link #leastPair} and
   * {@link #leastFarther}.
   */
  default long least() {
    return 0;
  }

  /** Returns the link usage of a candidate on several slots, if contention counts. */
  default LinkContention.Usage usage(int[] slots, int[] byRole, int size) {
    return LinkContention.Usage.NONE;
  }

  /** Returns the link usage of an assignment evaluated before, to guide the choice of nodes. */
  default LinkContention.Usage usageHint() {
    return LinkContention.Usage.NONE;
  }
}
