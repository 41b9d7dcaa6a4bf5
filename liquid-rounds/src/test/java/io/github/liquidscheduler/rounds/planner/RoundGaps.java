package io.github.liquidscheduler.rounds.planner;

import io.github.liquidscheduler.rounds.planner.bound.RoundBounds;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.Map;

/** Measures how far plans are from the best: arguments are the problems, steps and first seed. */
final class RoundGaps {

  private RoundGaps() {}

  public static void main(String[] arguments) {
    int problems = Integer.parseInt(arguments[0]);
    int steps = Integer.parseInt(arguments[1]);
    long first = Long.parseLong(arguments[2]);
    Map<String, DoubleSummaryStatistics> gaps = new LinkedHashMap<>();
    for (long seed = first; seed < first + problems; seed++) {
      RoundProblem problem = SmallRounds.problem(seed);
      double best = ExhaustiveRounds.leastWeightedEnd(problem);
      algorithms(steps)
          .forEach(
              (name, algorithm) ->
                  note(gaps, name, algorithm.plan(problem).weightedEnd(problem) / best - 1));
      note(gaps, "lower bound", RoundBounds.of(problem).weightedEnd() / best - 1);
    }
    gaps.forEach(
        (name, gap) ->
            System.out.printf(
                "%-12s mean %7.3f %%, least %7.3f %%, most %7.3f %%%n",
                name, 100 * gap.getAverage(), 100 * gap.getMin(), 100 * gap.getMax()));
  }

  private static Map<String, RoundAlgorithm> algorithms(int steps) {
    Map<String, RoundAlgorithm> algorithms = new LinkedHashMap<>();
    for (GpuChoice choice : GpuChoice.values()) {
      algorithms.put(choice.toString(), new RoundPlanner(TaskOrder.byFluid(), choice));
    }
    RoundPlanner start = new RoundPlanner(TaskOrder.byFluid(), GpuChoice.LEAST_DELAY);
    algorithms.put("delay+search", new LocalSearch(start, steps, 1));
    return algorithms;
  }

  private static void note(Map<String, DoubleSummaryStatistics> gaps, String name, double gap) {
    gaps.computeIfAbsent(name, any -> new DoubleSummaryStatistics()).accept(gap);
  }
}
