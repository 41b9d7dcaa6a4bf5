package io.github.liquidscheduler.simulator.comparison;

import com.google.common.collect.Maps;
import io.github.liquidscheduler.simulator.SimulationResult;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The figures of one run, without its jobs. Immutable.
 *
 * @param finished how many jobs finished, of {@code jobs} that were submitted
 * @param values in seconds for times; a figure that is not there has no value
 */
public record RunFigures(int finished, int jobs, Map<RunFigure, Double> values) {

  /**
   * Copies the values.
   *
   * @throws IllegalArgumentException if more jobs finished than there were
   */
  public RunFigures {
    if (finished < 0 || finished > jobs) {
      throw new IllegalArgumentException(
          "the jobs that finished must be from 0 to all %d, but were %d".formatted(jobs, finished));
    }
    values = Maps.immutableEnumMap(values);
  }

  /** Returns those of a run. */
  public static RunFigures of(SimulationResult result) {
    Map<RunFigure, Double> values = new EnumMap<>(RunFigure.class);
    for (RunFigure figure : RunFigure.values()) {
      figure.of(result).ifPresent(value -> values.put(figure, value));
    }
    return new RunFigures(result.finished().size(), result.fates().size(), values);
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

  /** Returns the number of jobs that did not finish or were rejected. */
  public int unfinished() {
    return jobs - finished;
  }
}
