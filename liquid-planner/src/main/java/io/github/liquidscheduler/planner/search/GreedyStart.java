package io.github.liquidscheduler.planner.search;

import io.github.liquidscheduler.planner.problem.Gang;
import io.github.liquidscheduler.planner.problem.GangAssignment;
import io.github.liquidscheduler.planner.problem.Occupancy;
import io.github.liquidscheduler.planner.problem.Problem;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Plans one gang after the other, each where it costs least beside those before it. */
public final class GreedyStart {

  static final Comparator<Gang> LARGEST_FIRST =
      Comparator.<Gang, Boolean>comparing(gang -> !gang.isSmaller)
          .thenComparingInt(gang -> gang.largestTask)
          .thenComparingInt(gang -> gang.totalGpus)
          .reversed()
          .thenComparingInt(gang -> gang.id);

  private static final Comparator<Gang> IN_ORDER =
      Comparator.<Gang, Boolean>comparing(gang -> gang.isSmaller).thenComparingInt(gang -> gang.id);

  private static final int MANY = 1000;

  private final Problem problem;

  /** Makes a greedy planner of the gangs of a problem. */
  public GreedyStart(Problem problem) {
    this.problem = problem;
  }

  /**
   * Returns the better of two plans: the largest first, and in the order of the policy; in both,
   * sizes that jobs prefer come before smaller ones. With many gangs the second is only made if the
   * first leaves some waiting: it costs more of the other.
   */
  public Occupancy best() {
    List<Gang> inOrder = Arrays.stream(problem.gangs()).sorted(IN_ORDER).toList();
    Occupancy largest = inOrder(inOrder.stream().sorted(LARGEST_FIRST).toList());
    if (inOrder.size() > MANY && largest.waiting() == 0) {
      return largest;
    }
    Occupancy policy = inOrder(inOrder);
    return isBetter(policy, largest) ? policy : largest;
  }

  /**
   * Returns a plan that keeps the assignments given where they fit, and places the others greedily.
   */
  public Occupancy from(GangAssignment[] assignments) {
    Occupancy occupancy = new Occupancy(problem);
    for (Gang gang : problem.gangs()) {
      if (!assignments[gang.id].isUnassigned() && occupancy.fits(gang, assignments[gang.id])) {
        occupancy.put(gang, assignments[gang.id]);
      }
    }
    placeWaiting(occupancy, Arrays.asList(problem.gangs()));
    return occupancy;
  }

  /**
   * Returns true if one plan has less weight waiting than the other, or as much at a lower cost.
   */
  public static boolean isBetter(Occupancy one, Occupancy other) {
    return one.waiting() < other.waiting()
        || (one.waiting() == other.waiting() && one.soft() < other.soft());
  }

  Occupancy inOrder(List<Gang> order) {
    Occupancy occupancy = new Occupancy(problem);
    for (Gang gang : order) {
      if (!gang.home.isUnassigned()) {
        occupancy.put(gang, gang.home);
      }
    }
    placeWaiting(occupancy, order);
    return occupancy;
  }

  private void placeWaiting(Occupancy occupancy, List<Gang> order) {
    if (order.isEmpty()) {
      return;
    }
    AssignmentFinder finder = new AssignmentFinder(occupancy, order.get(0));
    for (Gang gang : order) {
      if (occupancy.assignments[gang.id].isUnassigned() && !occupancy.isPlacedOtherwise(gang)) {
        finder.start(gang);
        finder.tryEverywhere();
        occupancy.put(gang, finder.best());
      }
    }
  }
}
