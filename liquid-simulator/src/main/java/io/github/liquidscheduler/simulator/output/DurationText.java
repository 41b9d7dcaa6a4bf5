package io.github.liquidscheduler.simulator.output;

import java.time.Duration;
import java.util.Locale;

/** Durations as people read them, on the terminal and in reports alike. */
public final class DurationText {
  private DurationText() {}

  /** Returns a duration in its two largest units, such as {@code 2h 05m}. */
  public static String of(Duration time) {
    return of(Math.round(time.toMillis() / 1000.0));
  }

  /** Returns seconds in their two largest units. */
  public static String of(long seconds) {
    if (seconds < 60) {
      return seconds + "s";
    }
    if (seconds < 3600) {
      return pair(seconds / 60, "m", seconds % 60, "s");
    }
    long minutes = Math.round(seconds / 60.0);
    if (minutes < 24 * 60) {
      return pair(minutes / 60, "h", minutes % 60, "m");
    }
    long hours = Math.round(minutes / 60.0);
    return pair(hours / 24, "d", hours % 24, "h");
  }

  private static String pair(long large, String largeUnit, long small, String smallUnit) {
    return String.format(Locale.ROOT, "%d%s %02d%s", large, largeUnit, small, smallUnit);
  }
}
