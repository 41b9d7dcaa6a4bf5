package io.github.liquidscheduler.lab.reference.pollux;

import java.util.function.Function;

/**
 * The policies of the simulation, and the average completion times that the artefact's simulator
 * gives on its eight workloads, in seconds.
 */
public enum GoodputPolicies {
  /** Tiresias with sizes and batch sizes as submitted. */
  TIRESIAS(
      LeastServiceQueues::new,
      "tiresias",
      2473.650,
      5144.962,
      3876.256,
      3280.262,
      3501.012,
      3469.694,
      5479.913,
      5079.706),
  /** Optimus with batch sizes as submitted, which knows steps left and step times. */
  OPTIMUS(
      OracleOptimus::new,
      "optimus",
      4087.062,
      6913.875,
      3944.006,
      5967.750,
      5656.250,
      5301.875,
      7290.856,
      6293.794),
  /**
   * Ours: a knapsack of goodputs by fitted models, with batch sizes that jobs choose. Stands beside
   * the original's own policy, Pollux.
   */
  GOODPUT(
      GoodputKnapsack::new,
      "pollux",
      2088.769,
      3322.944,
      2188.494,
      2720.981,
      2673.700,
      2446.131,
      3616.144,
      2951.906);

  private final Function<GoodputCluster, GoodputPolicy> maker;
  private final String original;
  private final double[] averages;

  GoodputPolicies(
      Function<GoodputCluster, GoodputPolicy> maker, String original, double... averages) {
    this.maker = maker;
    this.original = original;
    this.averages = averages;
  }

  GoodputPolicy policy(GoodputCluster cluster) {
    return maker.apply(cluster);
  }

  /** Returns the name of the original's policy that stands beside this one. */
  public String original() {
    return original;
  }

  /** Returns how many workloads were published; their numbers start at 1. */
  public int workloads() {
    return averages.length;
  }

  /**
   * Returns the average completion time that the original's policy gives on a workload, in seconds.
   *
   * @throws IllegalArgumentException if there is no workload of this number
   */
  public double published(int workload) {
    if (workload < 1 || workload > averages.length) {
      throw new IllegalArgumentException(
          "a workload must be from 1 to %d, but was %d".formatted(averages.length, workload));
    }
    return averages[workload - 1];
  }
}
