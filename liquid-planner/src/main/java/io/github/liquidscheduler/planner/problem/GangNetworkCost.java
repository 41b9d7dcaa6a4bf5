package io.github.liquidscheduler.planner.problem;

/** What the traffic of one gang costs where it is placed. Not thread-safe. */
public interface GangNetworkCost {

  /**
   * Returns the price of a candidate; never negative.
   *
   * @param slots the slots used, the first {@code size} entries; distinct
   * @param byRole the tasks of each role on each slot, slot after slot
   */
  long of(int[] slots, int[] byRole, int size);

  /**
   * Returns about what a pair of tasks on two nodes of a rack costs, to guide the choice of nodes.
   */
  long pairHint();

  /**
   * Returns a lower bound of the price of each pair of tasks on different nodes: the price of any
   * place is at least this times the number of such pairs. 0 if none is known.
   */
  long leastPair();

  /**
   * Returns what the traffic of a candidate on several slots does to links, if others on them
   * count.
   */
  default LinkContention.Uses uses(int[] slots, int[] byRole, int size) {
    return LinkContention.Uses.NONE;
  }

  /** Returns what the traffic of a place seen before did to links, to guide the choice of nodes. */
  default LinkContention.Uses usesHint() {
    return LinkContention.Uses.NONE;
  }

  /**
   * Returns what no place of the gang is below, in addition to what {@link #leastPair} and {@link
   * #leastFarther} tell.
   */
  default long least() {
    return 0;
  }

  /** Returns how much dearer each pair on different racks is at least. */
  default long leastFarther() {
    return 0;
  }

  /** The price of a gang that sends nothing. */
  GangNetworkCost NOTHING =
      new GangNetworkCost() {
        @Override
        public long of(int[] slots, int[] byRole, int size) {
          return 0;
        }

        @Override
        public long pairHint() {
          return 0;
        }

        @Override
        public long leastPair() {
          return 0;
        }
      };
}
