package io.github.liquidscheduler.placement.network;

/**
 * The cost of a candidate that changes node by node, for searches over many candidates that differ
 * little. Nodes and roles are named by their positions, links as well: link {@code i} is the
 * network card of node {@code i}, followed by the uplinks of the domains in their order. Not
 * thread-safe.
 */
public interface IncrementalCost {

  /** Adds tasks of a role to a node. */
  void add(int node, int role, int count);

  /** Removes tasks of a role from a node, which has that many. */
  void remove(int node, int role, int count);

  /** Removes all tasks. */
  void clear();

  /** Returns the cost of the current candidate. */
  double cost();

  /** Returns a lower bound of the cost of any candidate; negative infinity if none is known. */
  double lowerBound();

  /**
   * Returns the cost of the current candidate without other traffic, at which a search may end;
   * negative infinity if it is not known, or if links of one level differ, so that better ones may
   * exist.
   */
  double uncontendedCost();

  /**
   * Returns true if a candidate may hold more tasks on a node than fit there, and then costs no
   * more than with some of them elsewhere.
   */
  boolean allowsOverfullNodes();

  /**
   * Returns the number of links that the candidate crosses, to which the time for its cost is
   * proportional.
   */
  int links();

  /**
   * Fixes the bytes sent over links of each level to those of the current candidate, so that {@link
   * #transferSeconds} and {@link #contention} can be asked link by link.
   */
  void fixTrafficProfile();

  /** Returns the approximate seconds of the candidate's bytes over a link. */
  double transferSeconds(int link);

  /**
   * Returns the approximate cost of a candidate with these transfer seconds, without contention.
   */
  double costAt(double transferSeconds);

  /** Returns the approximate cost of using a link for the jobs that send over it. */
  double contention(int link);

  /** Returns the uplink above a link; -1 if there is none or the cost does not depend on it. */
  int parentLink(int link);
}
