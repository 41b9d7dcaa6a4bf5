package io.github.liquidscheduler.simulator.report;

import com.google.common.html.HtmlEscapers;
import java.util.Locale;

/** Figures and names as a report shows them. */
final class ReportText {

  private static final String THIN_SPACE = "\u2009";

  private ReportText() {}

  /** Returns seconds in their two largest units, such as {@code 2h 05m}. */
  static String time(double value) {
    long seconds = Math.round(value);
    if (seconds < 60) {
      return seconds + " s";
    }
    if (seconds < 3600) {
      return "%dm %02ds".formatted(seconds / 60, seconds % 60);
    }
    long minutes = Math.round(seconds / 60.0);
    return minutes < 48 * 60
        ? "%dh %02dm".formatted(minutes / 60, minutes % 60)
        : "%dd %02dh".formatted(minutes / 1440, minutes / 60 % 24);
  }

  static String percent(double fraction) {
    return String.format(Locale.ROOT, "%.1f%s%%", 100 * fraction, THIN_SPACE);
  }

  static String wholePercent(double fraction) {
    return String.format(Locale.ROOT, "%.0f%s%%", 100 * fraction, THIN_SPACE);
  }

  static String points(double fraction) {
    return String.format(Locale.ROOT, "%.1f points", 100 * fraction);
  }

  static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** Returns text as it stands between tags or in a quoted attribute of HTML. */
  static String escape(String text) {
    return HtmlEscapers.htmlEscaper().escape(text);
  }

  /** Returns JSON that no parser of HTML takes for the end of its element. */
  static String inScript(String json) {
    return json.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029");
  }
}
