package io.github.liquidscheduler.cli.forecast;

import io.github.liquidscheduler.cli.output.DisplayFormat;
import io.github.liquidscheduler.simulator.Simulation;
import io.github.liquidscheduler.simulator.forecast.ForecastMeter;
import io.github.liquidscheduler.simulator.forecast.ForecastReport;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Asks during a simulation when waiting jobs will start. */
public final class ForecastOptions {

  /** The explanation of the figures, for the help. */
  public static final String DEFINITIONS =
      """
      With --forecasts:
        forecasts        of jobs that wait once submitted: of how many it was asked when they
                         start, and told; how many started within a second of that; the median
                         error; the same for jobs that no later submission bypassed; of
                         intervals that should hold nine of ten, how many held\
      """;

  @Option(
      names = "--forecasts",
      paramLabel = "JOBS",
      description =
          "Asks of one waiting job in this number, at least 1, when it will start, and"
              + " compares that with when it does (docs/explanations.md). Slow for small numbers"
              + " (default: asks of none).")
  private @Nullable Integer every;

  @Option(
      names = "--forecast-steps",
      paramLabel = "EVENTS",
      description = "How many events each question looks ahead, at least 1 (default: 2000).")
  private int steps = 2000;

  private @Nullable ForecastMeter meter;

  /**
   * Lets a simulation be asked.
   *
   * @throws IllegalArgumentException if one of the numbers is less than 1
   */
  public void apply(Simulation.Builder simulation) {
    if (every != null) {
      meter = new ForecastMeter(every, steps);
      simulation.listener(meter);
    }
  }

  /** Returns the report, or empty if no job was asked about. */
  public Optional<ForecastReport> report() {
    return Optional.ofNullable(meter).map(ForecastMeter::report);
  }

  /** Returns the report as text for people. */
  public static List<String> text(ForecastReport report) {
    return List.of(
        "%-17s asked %d, told %d, %s within a second, median error %s"
            .formatted(
                "forecasts",
                report.asked(),
                report.told(),
                part(report.exact(), report.told()),
                DisplayFormat.time(report.medianError())),
        "%-17s %d, %s within a second"
            .formatted(
                "  not bypassed",
                report.notBypassed(),
                part(report.exactNotBypassed(), report.notBypassed())),
        "%-17s %d, %s held, median width %s"
            .formatted(
                "  with intervals",
                report.intervals(),
                part(report.held(), report.intervals()),
                DisplayFormat.time(report.medianWidth())));
  }

  private static String part(int some, int all) {
    return all == 0 ? "none" : DisplayFormat.percent((double) some / all);
  }
}
