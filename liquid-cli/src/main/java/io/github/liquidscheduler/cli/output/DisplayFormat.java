package io.github.liquidscheduler.cli.output;

import io.github.liquidscheduler.simulator.output.DurationText;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.Locale;

/** Formats times and fractions for people. */
public final class DisplayFormat {

  private DisplayFormat() {}

  /** Returns a time in its two largest units, such as {@code 2h 05m}. */
  public static String time(Duration time) {
    return DurationText.of(time);
  }

  /** Returns seconds with four significant digits, such as {@code 0.01235 s}. */
  public static String seconds(double seconds) {
    BigDecimal rounded = BigDecimal.valueOf(seconds).round(new MathContext(4));
    return (rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString()) + " s";
  }

  /** Returns a fraction in percent. */
  public static String percent(double fraction) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * fraction);
  }

  /** Returns a line of a summary: a name, and what it is in a column of its own. */
  public static String line(String name, String value) {
    return "%-17s %s".formatted(name, value);
  }
}
