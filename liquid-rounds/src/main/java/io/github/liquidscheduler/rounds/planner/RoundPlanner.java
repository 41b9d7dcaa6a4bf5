package io.github.liquidscheduler.rounds.planner;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Gives tasks their GPUs one after the other (Hare, HPDC'22, Algorithm 1), for jobs of which all is
 * known beforehand.
 */
public record RoundPlanner(TaskOrder order, GpuChoice choice) implements RoundAlgorithm {

  private record Turn(int job, int round, double key) {

    static final Comparator<Turn> IN_ORDER =
        Comparator.comparingDouble(Turn::key)
            .thenComparingInt(Turn::round)
            .thenComparingInt(Turn::job);
  }

  @Override
  public RoundPlan plan(RoundProblem problem) {
    ListSchedule schedule = new ListSchedule(problem, choice);
    schedule.planAll(roundOrder(problem));
    return schedule.plan();
  }

  /** Returns the position of the job of each round, in order. */
  int[] roundOrder(RoundProblem problem) {
    return sorted(order.keys(problem));
  }

  /** Returns the position of the job of each round, in the order of these keys. */
  static int[] sorted(double[][] keys) {
    List<Turn> turns = new ArrayList<>();
    for (int job = 0; job < keys.length; job++) {
      for (int round = 0; round < keys[job].length; round++) {
        turns.add(new Turn(job, round, keys[job][round]));
      }
    }
    turns.sort(Turn.IN_ORDER);
    return turns.stream().mapToInt(Turn::job).toArray();
  }
}
