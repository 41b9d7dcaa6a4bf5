package io.github.liquidscheduler.lab.reference.gavel;

import java.util.List;
import java.util.Locale;

/** The policies by name. */
final class GavelPolicies {

  private static final List<String> NAMES =
      List.of(
          "fifo_perf",
          "max_min_fairness_perf",
          "allox",
          "gandiva",
          "min_total_duration_perf",
          "max_sum_throughput_perf",
          "max_sum_throughput_normalized_by_cost_perf",
          "comparative_advantage",
          "comparative_advantage_known",
          "comparative_advantage_packed",
          "comparative_advantage_packed_known");

  private GavelPolicies() {}

  /**
   * Returns {@code name}.
   *
   * @throws IllegalArgumentException if there is no policy of this name
   */
  static String requireName(String name) {
    if (!NAMES.contains(name)) {
      throw new IllegalArgumentException(
          "a policy of --reference gavel must be one of %s, but was '%s'"
              .formatted(String.join(", ", NAMES), name));
    }
    return name;
  }

  /** Returns whether a policy places jobs of one GPU only. */
  static boolean isForSingleGpus(String name) {
    return name.equals("allox");
  }

  /** Returns a policy that has not decided anything yet. */
  static GavelRounds named(String name, int[] gpus, PairThroughputs pairs, long seed) {
    return switch (name) {
      case "comparative_advantage" -> new ComparativeAdvantage(false, gpus, null);
      case "comparative_advantage_known" -> new ComparativeAdvantage(true, gpus, null);
      case "comparative_advantage_packed" -> new ComparativeAdvantage(false, gpus, pairs::pair);
      case "comparative_advantage_packed_known" ->
          new ComparativeAdvantage(true, gpus, pairs::pair);
      default -> new TimeShares(shares(name, pairs, seed), gpus, pairs);
    };
  }

  private static SharePolicy shares(String name, PairThroughputs pairs, long seed) {
    return switch (name) {
      case "fifo_perf" -> new FifoPerf();
      case "max_min_fairness_perf" -> new MaxMinFairness();
      case "allox" -> new Allox();
      case "gandiva" -> new Gandiva(seed);
      case "min_total_duration_perf" -> new ShortestMakespan();
      case "max_sum_throughput_perf" ->
          new MostThroughput(pairs.models().stream().mapToDouble(model -> 1).toArray());
      case "max_sum_throughput_normalized_by_cost_perf" ->
          new MostThroughput(
              pairs.models().stream()
                  .mapToDouble(model -> price(model.name().toUpperCase(Locale.ROOT)))
                  .toArray());
      default -> throw new IllegalArgumentException("there is no policy '" + name + "'");
    };
  }

  /** Returns the price of an hour in dollars that Gavel uses, Google's on demand in 2020. */
  private static double price(String model) {
    return switch (model) {
      case "V100" -> 2.48;
      case "P100" -> 1.46;
      default -> 0.45;
    };
  }
}
