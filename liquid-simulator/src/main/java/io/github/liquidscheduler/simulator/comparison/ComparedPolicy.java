package io.github.liquidscheduler.simulator.comparison;

import io.github.liquidscheduler.simulator.metrics.MeanInterval;
import java.util.List;
import java.util.Optional;

/** A policy with a placement algorithm, and the figures of its runs, draw by draw; at least one. */
public record ComparedPolicy(String policy, String placer, List<RunFigures> runs) {

  /** The fewest runs of which an interval says something. */
  public static final int FEWEST_RUNS = 3;

  /** Copies the list. */
  public ComparedPolicy {
    runs = List.copyOf(runs);
    if (runs.isEmpty()) {
      throw new IllegalArgumentException("a policy must have run at least once");
    }
  }

  /** Returns the mean of a figure; empty if a run has none. */
  public Optional<MeanInterval> mean(RunFigure figure) {
    return values(figure).map(MeanInterval::of);
  }

  /**
   * Returns by what fraction a figure is above that of another policy: the ratio of the means, less
   * one, with the interval of the differences draw by draw; empty if a run has none, or the other
   * is zero.
   *
   * @throws IllegalArgumentException if the other did not run on as many draws
   */
  public Optional<MeanInterval> against(ComparedPolicy other, RunFigure figure) {
    Optional<double[]> own = values(figure);
    Optional<double[]> others =
        other.values(figure).filter(values -> MeanInterval.of(values).mean() != 0);
    return own.flatMap(values -> others.map(base -> MeanInterval.relative(values, base)));
  }

  /** Returns true if there are enough runs for intervals. */
  public boolean hasIntervals() {
    return runs.size() >= FEWEST_RUNS;
  }

  private Optional<double[]> values(RunFigure figure) {
    return RunFigures.values(figure, runs);
  }
}
