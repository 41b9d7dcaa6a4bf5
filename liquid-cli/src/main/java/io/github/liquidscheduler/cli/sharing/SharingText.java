package io.github.liquidscheduler.cli.sharing;

import io.github.liquidscheduler.cli.output.DisplayFormat;
import io.github.liquidscheduler.simulator.slowdown.SharingReport;
import io.github.liquidscheduler.text.Count;
import java.time.Duration;
import java.util.List;

/** The results of GPU sharing, as text. */
public final class SharingText {

  /** The explanation of the figures, for the help. */
  public static final String DEFINITIONS =
      """
      With --slowdowns:
        shared GPU time  time for which GPUs had two jobs, of that for which they had any; jobs that
                         ever shared
        retained speed   of jobs while they shared, on average, of their speed alone; part of the
                         time in which guaranteed jobs that shared were slower than their floor
        separated        how often a job had to leave because of interference: pre-empted, or
                         migrated\
      """;

  private SharingText() {}

  /** Returns the lines. */
  public static List<String> of(SharingReport report) {
    return List.of(
        DisplayFormat.line(
            "shared GPU time",
            "%s of the time held (%s); %s shared"
                .formatted(
                    DisplayFormat.percent(report.shared()),
                    DisplayFormat.time(Duration.ofSeconds((long) report.sharedGpuSeconds())),
                    Count.of(report.jobs(), "job"))),
        DisplayFormat.line(
            "retained speed",
            "%s while sharing; guaranteed jobs below their floor %s of that time"
                .formatted(
                    DisplayFormat.percent(report.retainedSpeed()),
                    DisplayFormat.percent(report.belowFloor()))),
        DisplayFormat.line(
            "separated",
            "%d because of interference (%d pre-empted, %d migrated)"
                .formatted(report.stopped() + report.moved(), report.stopped(), report.moved())));
  }
}
