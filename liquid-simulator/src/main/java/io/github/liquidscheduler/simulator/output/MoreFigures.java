package io.github.liquidscheduler.simulator.output;

import io.github.liquidscheduler.simulator.fairness.FairnessReport;
import io.github.liquidscheduler.simulator.forecast.ForecastReport;
import java.util.Objects;
import java.util.Optional;

/**
 * Figures of a run that are there only if they were asked for.
 *
 * @param fairness how fairly queues were treated
 * @param forecasts how well starts were foreseen
 */
public record MoreFigures(Optional<FairnessReport> fairness, Optional<ForecastReport> forecasts) {

  /** None of them. */
  public static final MoreFigures NONE = new MoreFigures(Optional.empty(), Optional.empty());

  /** Checks that nothing is null. */
  public MoreFigures {
    Objects.requireNonNull(fairness, "fairness");
    Objects.requireNonNull(forecasts, "forecasts");
  }
}
