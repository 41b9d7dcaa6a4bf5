package io.github.liquidscheduler.planner.cost;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.cost.NetworkParameters;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import java.util.Objects;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The terms of a plan's cost, and the whole numbers, units, in which plans are compared.
 *
 * @param network how traffic is charged
 * @param interference how tasks of different jobs on a node are charged
 * @param fragmentation what a free GPU of a node partly in use costs, at least 0
 * @param preference what a preference violated costs, at least 0
 * @param scale how many units a cost of 1 is, more than 0
 */
public record CostTerms(
    Network network,
    Interference interference,
    double fragmentation,
    double preference,
    double scale) {

  /** How many units a second is. */
  public static final double NANOS = 1e9;

  private static final double TIER_PREFERENCE = 100;

  /**
   * Returns the seconds of the physical network model, links shared: 1 ms for a free GPU, 1 second
   * for a preference.
   */
  public static CostTerms physical(NetworkParameters parameters) {
    return new CostTerms(new Seconds(parameters, true), new NoInterference(), 0.001, 1, NANOS);
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
  public static CostTerms pairTiers(
      ToLongFunction<JobSpec> traffic, ToLongFunction<JobSpec> intensity) {
    return new CostTerms(
        new Tiers(Objects.requireNonNull(traffic, "traffic")),
        new Products(Objects.requireNonNull(intensity, "intensity")),
        0,
        TIER_PREFERENCE,
        1);
  }

  /** Returns an amount in units. */
  public long toUnits(double amount) {
    return Math.round(amount * scale);
  }

  /** Returns the amount of some units. */
  public double fromUnits(long units) {
    return units / scale;
  }

  /** Returns the parameters of the physical network model; null if traffic is charged otherwise. */
  public @Nullable NetworkParameters physicalParameters() {
    return network instanceof Seconds seconds ? seconds.parameters() : null;
  }

  /** Returns true if link contention counts. */
  public boolean sharesLinks() {
    return network instanceof Seconds seconds && seconds.shared();
  }

  /** How traffic is charged. */
  public sealed interface Network {}

  /** By the tiers between tasks. */
  public record Tiers(ToLongFunction<JobSpec> traffic) implements Network {}

  /**
   * By the physical network model.
   *
   * @param shared whether links are shared
   */
  public record Seconds(NetworkParameters parameters, boolean shared) implements Network {}

  /** How tasks of different jobs on a node are charged. */
  public sealed interface Interference {}

  /** Not at all. */
  public record NoInterference() implements Interference {}

  /** By the product of their intensities. */
  public record Products(ToLongFunction<JobSpec> intensity) implements Interference {}

  /** By what a predictor says of their workloads. */
  public record Predicted(InterferencePredictor predictor, double weight) implements Interference {}
}
