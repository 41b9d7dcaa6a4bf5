package io.github.liquidscheduler.planner;

import io.github.liquidscheduler.placement.cost.NetworkParameters;
import io.github.liquidscheduler.planner.cost.CostTerms;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import java.util.Objects;

/**
 * The cost of a plan, beyond the work it leaves waiting: traffic over the network, interference
 * between tasks of different jobs on a node, GPUs left over where few are of use, and moving
 * running jobs. In seconds. Immutable.
 */
public final class PlanCost {

  private final CostTerms terms;

  private PlanCost(CostTerms terms) {
    this.terms = terms;
  }

  /**
   * Returns the seconds that communicating makes an iteration of each job longer, by the physical
   * network model; no interference but on links. A free GPU of a node that is partly in use costs a
   * millisecond, and a preference that is violated a second.
   *
   * <p>The search estimates what jobs on the same links cost each other. The plan found, the greedy
   * one and that of immediate mode are then evaluated with all jobs on the links, one after the
   * other, and the cheapest is the plan.
   */
  public static PlanCost physical() {
    return physical(NetworkParameters.DEFAULT);
  }

  /** Returns {@link #physical()} with parameters of the network model. */
  public static PlanCost physical(NetworkParameters parameters) {
    return new PlanCost(CostTerms.physical(Objects.requireNonNull(parameters, "parameters")));
  }

  /** Returns a cost of these terms; for modules of this library. */
  @SuppressWarnings("exports") // not for embedders: the terms are no part of the interface
  public static PlanCost of(CostTerms terms) {
    return new PlanCost(terms);
  }

  /** Returns the terms of the cost; for modules of this library. */
  @SuppressWarnings("exports") // not for embedders: the terms are no part of the interface
  public CostTerms terms() {
    return terms;
  }

  /**
   * Returns this cost with each job as if it were alone on its links: for networks on which jobs do
   * not meet, or where it is not known what that costs.
   */
  public PlanCost withLinksOfTheirOwn() {
    return terms.network() instanceof CostTerms.Seconds seconds
        ? with(new CostTerms.Seconds(seconds.parameters(), false), terms.interference())
        : this;
  }

  /**
   * Returns this cost with interference as {@code predictor} sees it: {@code weight} times what a
   * pair of tasks on a node loses together, 0 to 2. Each pair of workloads is asked for once,
   * before the search.
   *
   * @param weight what it costs that one task stands still, in seconds; at least 0
   * @throws IllegalArgumentException if the weight is negative or not finite
   */
  public PlanCost withInterference(InterferencePredictor predictor, double weight) {
    Objects.requireNonNull(predictor, "predictor");
    double amount = requireAmount("a weight", weight);
    return with(terms.network(), new CostTerms.Predicted(predictor, amount));
  }

  /**
   * Returns this cost with {@code perGpu} seconds for each free GPU of a node that is partly in
   * use; 0.001 by default.
   *
   * @throws IllegalArgumentException if {@code perGpu} is negative or not finite
   */
  public PlanCost withFragmentation(double perGpu) {
    return with(requireAmount("the cost of a GPU left over", perGpu), terms.preference());
  }

  /**
   * Returns this cost with {@code perPreference} seconds for a job outside its preferred level, and
   * for each GPU model that it prefers to the one it gets; 1 by default.
   *
   * @throws IllegalArgumentException if {@code perPreference} is negative or not finite
   */
  public PlanCost withPreference(double perPreference) {
    double amount = requireAmount("the cost of a preference violated", perPreference);
    return with(terms.fragmentation(), amount);
  }

  private PlanCost with(CostTerms.Network network, CostTerms.Interference interference) {
    return new PlanCost(
        new CostTerms(
            network, interference, terms.fragmentation(), terms.preference(), terms.scale()));
  }

  private PlanCost with(double fragmentation, double preference) {
    return new PlanCost(
        new CostTerms(
            terms.network(), terms.interference(), fragmentation, preference, terms.scale()));
  }

  private static double requireAmount(String what, double amount) {
    if (!(amount >= 0 && amount < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          what + " must be finite and not negative, but was " + amount);
    }
    return amount;
  }
}
