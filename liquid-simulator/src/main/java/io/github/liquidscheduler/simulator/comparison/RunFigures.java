package io.github.liquidscheduler.simulator.comparison;

import io.github.liquidscheduler.simulator.SimulationResult;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** The figures of one run, without its jobs. Immutable. */
public final class RunFigures {
  private final Map<RunFigure, Double> values = new EnumMap<>(RunFigure.class);
  private final int finished;
  private final int jobs;

  private RunFigures(int finished, int jobs) {
    this.finished = finished;
    this.jobs = jobs;
  }

  /** Returns those of a run. */
  public static RunFigures of(SimulationResult result) {
    RunFigures figures = new RunFigures(result.finished().size(), result.fates().size());
    for (RunFigure figure : RunFigure.values()) {
      figure.of(result).ifPresent(value -> figures.values.put(figure, value));
    }
    return figures;
  }

  /**
   * Returns those that were written down of a run.
   *
   * @param finished how many jobs finished, of {@code jobs}
   * @param values in seconds for times; a figure that is not there has no value
   * @throws IllegalArgumentException if more jobs finished than there were
   */
  public static RunFigures of(int finished, int jobs, Map<RunFigure, Double> values) {
    if (finished < 0 || finished > jobs) {
      throw new IllegalArgumentException(
          "the jobs that finished must be from 0 to all %d, but were %d".formatted(jobs, finished));
    }
    RunFigures figures = new RunFigures(finished, jobs);
    figures.values.putAll(values);
    return figures;
  }

  /** Returns one of them, in seconds for times; empty where there is none. */
  public OptionalDouble value(RunFigure figure) {
    Double value = values.get(figure);
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  /** Returns a figure of each run; empty if one of them has none. */
  public static Optional<double[]> values(RunFigure figure, List<RunFigures> runs) {
    double[] values = runs.stream().flatMapToDouble(run -> run.value(figure).stream()).toArray();
    return values.length == runs.size() ? Optional.of(values) : Optional.empty();
  }

  /** Returns the number of finished jobs. */
  public int finished() {
    return finished;
  }

  /** Returns the number of jobs that did not finish or were rejected. */
  public int unfinished() {
    return jobs - finished;
  }

  /** Returns the number of submitted jobs. */
  public int jobs() {
    return jobs;
  }
}
