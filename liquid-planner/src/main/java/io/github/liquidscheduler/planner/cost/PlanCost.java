package io.github.liquidscheduler.planner.cost;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.cost.NetworkParameters;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import java.util.Objects;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a plan costs, beyond the work it leaves waiting: traffic over the network, interference
 * between tasks of different jobs on a node, GPUs left over where few are of use, and moving
 * running jobs. Immutable.
 */
public final class PlanCost {

  /** How many units of a whole number a second is counted in. */
  public static final double NANOS = 1e9;

  private static final double TIER_PREFERENCE = 100;

  private final Network network;
  private final Interference interference;
  private final double fragmentation;
  private final double preference;
  private final double scale;

  private PlanCost(
      Network network,
      Interference interference,
      double fragmentation,
      double preference,
      double scale) {
    this.network = network;
    this.interference = interference;
    this.fragmentation = fragmentation;
    this.preference = preference;
    this.scale = scale;
  }

  /**
   * Returns a cost in plain numbers: for each pair of tasks of a job 0 on one node, 1 in one rack
   * and 3 beyond, times the job's traffic; and for each pair of tasks of different jobs on a node
   * the product of their intensities. The rack is the narrowest domain, in a cluster without
   * domains all of it. Of a job with parameter servers only pairs of a server and a worker count.
   *
   * @param traffic for a job, its traffic, at least 0
   * @param intensity for a job, the intensity of each of its tasks, at least 0
   */
  public static PlanCost pairTiers(
      ToLongFunction<JobSpec> traffic, ToLongFunction<JobSpec> intensity) {
    return new PlanCost(
        new Tiers(Objects.requireNonNull(traffic, "traffic")),
        new Products(Objects.requireNonNull(intensity, "intensity")),
        0,
        TIER_PREFERENCE,
        1);
  }

  /**
   * Returns a cost in seconds: those that communicating makes an iteration of each job longer, by
   * the physical network model; no interference but on links. GPUs left over on a node partly in
   * use count a millisecond each, and a wish of the topology that is not met a second.
   *
   * <p>The search itself estimates what jobs on the same links cost each other. The plan found, the
   * greedy one and that of immediate mode are then priced with all jobs on the links, one after the
   * other, and the cheapest is the plan.
   */
  public static PlanCost physical() {
    return physical(NetworkParameters.DEFAULT);
  }

  /** Returns {@link #physical()} with parameters of the network model. */
  public static PlanCost physical(NetworkParameters parameters) {
    return new PlanCost(new Seconds(parameters, true), new None(), 0.001, 1, NANOS);
  }

  /**
   * Returns this cost with each job as if it were alone on its links: for networks on which jobs do
   * not meet, or where it is not known what that costs. Changes nothing but {@link #physical}.
   */
  public PlanCost withLinksOfTheirOwn() {
    Network own =
        network instanceof Seconds seconds ? new Seconds(seconds.parameters, false) : network;
    return new PlanCost(own, interference, fragmentation, preference, scale);
  }

  /**
   * Returns this cost with interference as {@code predictor} sees it: {@code weight} times what a
   * pair of tasks on a node loses together, 0 to 2. Each pair of workloads is asked for once,
   * before the search.
   *
   * @param weight what it costs that one task stands still, in units of this cost; at least 0
   * @throws IllegalArgumentException if the weight is negative or not finite
   */
  public PlanCost withInterference(InterferencePredictor predictor, double weight) {
    Objects.requireNonNull(predictor, "predictor");
    Predicted predicted = new Predicted(predictor, requireAmount("a weight", weight));
    return new PlanCost(network, predicted, fragmentation, preference, scale);
  }

  /**
   * Returns this cost with {@code perGpu} for each free GPU of a node that is partly in use.
   *
   * @throws IllegalArgumentException if {@code perGpu} is negative or not finite
   */
  public PlanCost withFragmentation(double perGpu) {
    double amount = requireAmount("the cost of a GPU left over", perGpu);
    return new PlanCost(network, interference, amount, preference, scale);
  }

  /**
   * Returns this cost with {@code perWish} for a job outside its preferred level, and for each
   * model that it likes better than the one it gets.
   *
   * @throws IllegalArgumentException if {@code perWish} is negative or not finite
   */
  public PlanCost withPreference(double perWish) {
    double amount = requireAmount("the cost of a wish not met", perWish);
    return new PlanCost(network, interference, fragmentation, amount, scale);
  }

  public Network network() {
    return network;
  }

  public Interference interference() {
    return interference;
  }

  public long fragmentation() {
    return toUnits(fragmentation);
  }

  public long preference() {
    return toUnits(preference);
  }

  /** Returns an amount in the whole numbers in which plans are compared. */
  public long toUnits(double amount) {
    return Math.round(amount * scale);
  }

  public double fromUnits(long units) {
    return units / scale;
  }

  public double scale() {
    return scale;
  }

  public @Nullable NetworkParameters physicalParameters() {
    return network instanceof Seconds seconds ? seconds.parameters() : null;
  }

  /** Returns whether what jobs on the same links cost each other counts. */
  public boolean sharesLinks() {
    return network instanceof Seconds seconds && seconds.shared();
  }

  private static double requireAmount(String what, double amount) {
    if (!(amount >= 0 && amount < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          what + " must be finite and not negative, but was " + amount);
    }
    return amount;
  }

  /** How traffic is priced. */
  sealed interface Network {}

  /** By the tiers between tasks. */
  public record Tiers(ToLongFunction<JobSpec> traffic) implements Network {}

  /**
   * By the physical network model.
   *
   * @param shared whether links are shared
   */
  record Seconds(NetworkParameters parameters, boolean shared) implements Network {}

  /** How neighbours are priced. */
  sealed interface Interference {}

  /** Not at all. */
  public record None() implements Interference {}

  /** By the product of their intensities. */
  public record Products(ToLongFunction<JobSpec> intensity) implements Interference {}

  /** By what a predictor says of their workloads. */
  public record Predicted(InterferencePredictor predictor, double weight) implements Interference {}
}
