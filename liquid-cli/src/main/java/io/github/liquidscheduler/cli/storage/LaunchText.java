package io.github.liquidscheduler.cli.storage;

import io.github.liquidscheduler.cli.output.DisplayFormat;
import io.github.liquidscheduler.simulator.storage.LaunchReport;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** The GPU time idled in launches and the prefetched data, as text. */
public final class LaunchText {

  /** The explanation of the figures, for the help. */
  public static final String DEFINITIONS =
      """
      With --storage-bandwidth:
        launches         GPU time that jobs held and did not train yet: until their processes had
                         started and all that they read was there; the part in which they read
        prefetched       bytes brought to nodes before jobs started there, and those of them that
                         no job has read (wasted)\
      """;

  private static final double GIB = 1L << 30;

  private LaunchText() {}

  /** Returns the lines. */
  public static List<String> of(LaunchReport report) {
    return List.of(
        DisplayFormat.line(
            "launches",
            "%s of GPU time idle, %s of it reading"
                .formatted(time(report.gpuSeconds()), time(report.readingGpuSeconds()))),
        DisplayFormat.line(
            "prefetched",
            report.prefetchedBytes() == 0
                ? "nothing"
                : "%s, %s wasted (%s)"
                    .formatted(
                        size(report.prefetchedBytes()),
                        size(report.wastedBytes()),
                        DisplayFormat.percent(report.wasted()))));
  }

  private static String time(double seconds) {
    return DisplayFormat.time(Duration.ofMillis((long) (seconds * 1e3)));
  }

  private static String size(double bytes) {
    return String.format(Locale.ROOT, "%.1f GiB", bytes / GIB);
  }
}
