package io.github.liquidscheduler.placement.network;

/**
 * The cost of a candidate that changes node by node, for searches that look at many candidates of
 * which each differs little from the one before. Nodes and roles are named by their positions,
 * links as well: link {@code i} is the network card of node {@code i}, and after those of all nodes
 * come the uplinks of the domains in their order. Not thread-safe.
 */
public interface IncrementalCost {

  /** Adds tasks of a role to a node. */
  void add(int node, int role, int count);

  /** Takes tasks of a role from a node, which has that many. */
  void remove(int node, int role, int count);

  /** Takes all tasks away. */
  void clear();

  /** Returns the cost of the candidate as it is now. */
  double cost();

  /** Returns what no candidate costs less than; negative infinity if that is not known. */
  double lowerBound();

  /**
   * Returns what the candidate as it is now would cost if nobody else sent anything, for a search
   * to end at a placement that costs no more; negative infinity if that is not known, or if links
   * of one level differ, so that there may be better ones.
   */
  double uncontendedCost();

  /**
   * Returns whether a candidate may hold more tasks on a node than fit there, and then costs no
   * more than with fewer there and the others elsewhere.
   */
  boolean allowsOverfullNodes();

  /** Returns how many links the candidate crosses: what it takes to work out its cost. */
  int links();

  /**
   * Takes the candidate as it is now for what the job sends over links of each level, so that
   * {@link #transferSeconds} and {@link #contention} can tell of links one by one.
   */
  void fixTrafficProfile();

  /** Returns about how many seconds the candidate's bytes take over a link. */
  double transferSeconds(int link);

  /** Returns about what a candidate costs whose bytes take so long, contention left out. */
  double costAt(double transferSeconds);

  /** Returns about what using a link costs those who send over it. */
  double contention(int link);

  /** Returns the uplink above a link, or -1 if there is none or nothing depends on it. */
  int parentLink(int link);
}
