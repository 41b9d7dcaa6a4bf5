package io.github.liquidscheduler.simulator.forecast;

import java.time.Duration;
import java.util.Objects;

/**
 * How well starts were foreseen. Only jobs that started count.
 *
 * @param asked of how many waiting jobs it was asked when they would start
 * @param told of how many of these it could be told
 * @param exact how many of those started within a second of the expected start
 * @param notBypassed how many of those told started before everybody who was submitted later
 * @param exactNotBypassed how many of these started within a second of the expected start
 * @param medianError the median difference between expected and true start
 * @param intervals how many were told with an interval that holds nine of ten
 * @param held how many of these started within it
 * @param medianWidth the median width of the intervals
 */
public record ForecastReport(
    int asked,
    int told,
    int exact,
    int notBypassed,
    int exactNotBypassed,
    Duration medianError,
    int intervals,
    int held,
    Duration medianWidth) {

  /** Checks that nothing is null. */
  public ForecastReport {
    Objects.requireNonNull(medianError, "medianError");
    Objects.requireNonNull(medianWidth, "medianWidth");
  }
}
