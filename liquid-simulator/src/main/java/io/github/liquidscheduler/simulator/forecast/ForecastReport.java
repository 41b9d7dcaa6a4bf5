package io.github.liquidscheduler.simulator.forecast;

import java.time.Duration;
import java.util.Objects;

/**
 * The accuracy of forecast starts. Only jobs that started count.
 *
 * @param asked the number of waiting jobs asked about
 * @param told the number of these with an answer
 * @param exact the number of those that started within a second of the expected start
 * @param notBypassed the number of those told that started before all later submissions
 * @param exactNotBypassed the number of these that started within a second of the expected start
 * @param medianError the median difference between expected and true start
 * @param intervals the number told with a 90 % interval
 * @param held the number of these that started within it
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
