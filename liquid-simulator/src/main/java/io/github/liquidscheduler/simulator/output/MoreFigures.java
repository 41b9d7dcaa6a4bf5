package io.github.liquidscheduler.simulator.output;

import io.github.liquidscheduler.simulator.fairness.FairnessReport;
import io.github.liquidscheduler.simulator.forecast.ForecastReport;
import io.github.liquidscheduler.simulator.slowdown.SharingReport;
import java.util.Objects;
import java.util.Optional;

/**
 * Figures of a run that are there only if they were asked for.
 *
 * @param fairness how fairly queues were treated
 * @param forecasts how well starts were foreseen
 * @param sharing what sharing GPUs came to
 */
public record MoreFigures(
    Optional<FairnessReport> fairness,
    Optional<ForecastReport> forecasts,
    Optional<SharingReport> sharing) {

  /** None of them. */
  public static final MoreFigures NONE =
      new MoreFigures(Optional.empty(), Optional.empty(), Optional.empty());

  /** Checks that nothing is null. */
  public MoreFigures {
    Objects.requireNonNull(fairness, "fairness");
    Objects.requireNonNull(forecasts, "forecasts");
    Objects.requireNonNull(sharing, "sharing");
  }
}
