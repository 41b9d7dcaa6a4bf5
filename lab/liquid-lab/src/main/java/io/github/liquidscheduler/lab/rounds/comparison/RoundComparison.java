package io.github.liquidscheduler.lab.rounds.comparison;

import io.github.liquidscheduler.rounds.planner.RoundJob;
import io.github.liquidscheduler.rounds.planner.RoundProblem;
import io.github.liquidscheduler.rounds.planner.bound.RoundBounds;
import io.github.liquidscheduler.simulator.metrics.MeanInterval;
import io.github.liquidscheduler.simulator.rounds.NamedRoundAlgorithm;
import io.github.liquidscheduler.simulator.rounds.RoundSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Average completion times of algorithms on the same jobs.
 *
 * @param jct by algorithm, in seconds: one average for each repetition
 * @param bounds averages that no schedule is below, for each repetition
 */
public record RoundComparison(Map<NamedRoundAlgorithm, double[]> jct, List<Double> bounds) {

  /** Copies the bounds. */
  public RoundComparison {
    bounds = List.copyOf(bounds);
  }

  /**
   * Runs each algorithm on the same repetitions.
   *
   * @param repetitions how many, at least 1
   */
  public static RoundComparison run(
      RoundExperiment experiment,
      List<NamedRoundAlgorithm> algorithms,
      RoundSettings settings,
      int repetitions) {
    Map<NamedRoundAlgorithm, double[]> jct = new LinkedHashMap<>();
    for (NamedRoundAlgorithm algorithm : algorithms) {
      jct.put(algorithm, new double[repetitions]);
    }
    List<Double> bounds = new ArrayList<>();
    for (int repetition = 1; repetition <= repetitions; repetition++) {
      RoundProblem problem = experiment.problem(repetition);
      bounds.add(bound(problem));
      for (NamedRoundAlgorithm algorithm : algorithms) {
        double average = algorithm.with(settings).plan(problem).averageJct(problem);
        Objects.requireNonNull(jct.get(algorithm))[repetition - 1] = average;
      }
    }
    return new RoundComparison(jct, bounds);
  }

  /** Returns an average that no schedule is below; all weights are 1. */
  private static double bound(RoundProblem problem) {
    double arrivals = problem.jobs().stream().mapToDouble(RoundJob::arrival).sum();
    return (RoundBounds.of(problem).weightedEnd() - arrivals) / problem.jobs().size();
  }

  /** Returns the algorithms, in their order. */
  public List<NamedRoundAlgorithm> algorithms() {
    return new ArrayList<>(jct.keySet());
  }

  /** Returns the average completion time over all repetitions, in seconds. */
  public double mean(NamedRoundAlgorithm algorithm) {
    return Arrays.stream(of(algorithm)).average().orElse(0);
  }

  /** Returns how many times as long jobs take as under another algorithm, by repetition. */
  public MeanInterval times(NamedRoundAlgorithm algorithm, NamedRoundAlgorithm other) {
    double[] ratios = new double[of(algorithm).length];
    for (int repetition = 0; repetition < ratios.length; repetition++) {
      ratios[repetition] = of(algorithm)[repetition] / of(other)[repetition];
    }
    return MeanInterval.of(ratios);
  }

  /** Returns how many times as long jobs take as in the bound, by repetition. */
  public MeanInterval timesBound(NamedRoundAlgorithm algorithm) {
    double[] ratios = of(algorithm).clone();
    for (int repetition = 0; repetition < ratios.length; repetition++) {
      ratios[repetition] /= bounds.get(repetition);
    }
    return MeanInterval.of(ratios);
  }

  private double[] of(NamedRoundAlgorithm algorithm) {
    return Objects.requireNonNull(jct.get(algorithm), () -> algorithm + " did not run");
  }
}
