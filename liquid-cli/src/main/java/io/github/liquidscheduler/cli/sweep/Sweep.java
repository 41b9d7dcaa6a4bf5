package io.github.liquidscheduler.cli.sweep;

import io.github.liquidscheduler.cli.comparison.PolicyChoice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * A grid of simulations: each policy with each placement algorithm, on each trace, cluster, load
 * and set of options, on as many draws as there are seeds.
 *
 * @param traces the traces
 * @param clusters the clusters, as {@code --cluster} takes them
 * @param policies the scheduling policies, the first of which is what others are compared with
 * @param placers the placement algorithms
 * @param loads the factors by which arrivals are compressed
 * @param seeds how many draws of a trace, draw 0 being the trace itself
 * @param block how many consecutive jobs are drawn together; empty for the root of their number
 * @param optionSets sets of more options
 */
record Sweep(
    List<SweptTrace> traces,
    List<String> clusters,
    List<String> policies,
    List<String> placers,
    List<Double> loads,
    int seeds,
    OptionalInt block,
    List<Map<String, String>> optionSets) {

  /** The maximum number of cells, each of which has its own file. */
  static final int MOST_CELLS = 100_000;

  private static final int MOST_SEEDS = 1000;

  /**
   * Checks the rules that concern several values.
   *
   * @throws IllegalArgumentException if one is not met
   */
  Sweep {
    requireDistinct("traces", traces);
    requireDistinct("clusters", clusters);
    requireDistinct("policies", policies);
    requireDistinct("placers", placers);
    requireDistinct("loads", loads);
    requireDistinct("options", optionSets);
    require(seeds >= 1 && seeds <= MOST_SEEDS, "seeds must be from 1 to 1000, but was " + seeds);
    require(
        block.isEmpty() || block.getAsInt() >= 1,
        "block must be at least 1, but was " + block.orElse(0));
    double cells = 1.0 * seeds * policies.size() * placers.size();
    cells *= 1.0 * traces.size() * clusters.size() * loads.size() * optionSets.size();
    require(
        cells <= MOST_CELLS,
        "a sweep must have at most %d cells, but has %.0f".formatted(MOST_CELLS, cells));
  }

  private static void requireDistinct(String field, List<?> values) {
    require(!values.isEmpty(), field + " must not be empty");
    for (int i = 1; i < values.size(); i++) {
      require(
          !values.subList(0, i).contains(values.get(i)),
          "%s must differ, but element %d comes twice".formatted(field, i + 1));
    }
  }

  private static void require(boolean isMet, String rule) {
    if (!isMet) {
      throw new IllegalArgumentException(rule);
    }
  }

  /** Returns the settings in which policies are compared, in the order of the grid. */
  List<SweepSetting> settings() {
    List<SweepSetting> settings = new ArrayList<>();
    for (SweptTrace trace : traces) {
      for (String cluster : clusters) {
        for (double load : loads) {
          for (Map<String, String> options : optionSets) {
            settings.add(new SweepSetting(trace, cluster, load, options));
          }
        }
      }
    }
    return settings;
  }

  /** Returns each policy with each placement algorithm. */
  List<PolicyChoice> choices() {
    return policies.stream()
        .flatMap(policy -> placers.stream().map(placer -> new PolicyChoice(policy, placer)))
        .toList();
  }

  /** Returns all cells: setting by setting, policy by policy, draw by draw. */
  List<SweepCell> cells() {
    List<SweepCell> cells = new ArrayList<>();
    for (SweepSetting setting : settings()) {
      for (PolicyChoice choice : choices()) {
        for (int draw = 0; draw < seeds; draw++) {
          cells.add(new SweepCell(cells.size(), setting, choice, draw));
        }
      }
    }
    return cells;
  }
}
