package io.github.liquidscheduler.simulator.report;

import com.google.common.html.HtmlEscapers;
import io.github.liquidscheduler.simulator.output.DurationText;
import java.util.Locale;

/** Figures and names as a report shows them. */
final class ReportText {

  private static final String THIN_SPACE = "\u2009";

  private ReportText() {}

  /** Returns seconds in their two largest units, such as {@code 2h 05m}. */
  static String time(double seconds) {
    return DurationText.of(Math.round(seconds));
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
