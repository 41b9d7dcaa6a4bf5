package io.github.liquidscheduler.estimator.task.regression;

import java.util.Locale;

/**
 * The errors of predictions on data held out, on the scale that is learned on.
 *
 * @param low the 5 % quantile of truth less prediction, at most 0
 * @param high the 95 % quantile, at least 0
 * @param request what is added to a prediction to request enough, at least 0
 * @param error the mean distance
 */
public record Calibration(double low, double high, double request, double error) {

  /**
   * Checks the order.
   *
   * @throws IllegalArgumentException if a number is not finite or on the wrong side of 0
   */
  public Calibration {
    if (!(low <= 0 && high >= 0 && request >= 0 && error >= 0)
        || !Double.isFinite(high - low + request + error)) {
      throw new IllegalArgumentException(
          "a calibration must have low <= 0 <= high, request and error, but had %s, %s, %s, %s"
              .formatted(low, high, request, error));
    }
  }

  /** Returns this calibration {@code factor} times as wide. */
  public Calibration widened(double factor) {
    return new Calibration(low * factor, high * factor, request * factor, error * factor);
  }

  /** Returns the four numbers in one line. */
  public String toLine() {
    return String.format(Locale.ROOT, "%s;%s;%s;%s", low, high, request, error);
  }

  /**
   * Returns the calibration in {@code line}.
   *
   * @throws IllegalArgumentException if it is not four numbers in order
   */
  public static Calibration fromLine(String line, String owner) {
    String[] parts = line.split(";", -1);
    if (parts.length != 4) {
      throw new IllegalArgumentException(
          "a calibration must be low;high;request;error, but was '" + line + "', in " + owner);
    }
    try {
      return new Calibration(
          Double.parseDouble(parts[0]),
          Double.parseDouble(parts[1]),
          Double.parseDouble(parts[2]),
          Double.parseDouble(parts[3]));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "a calibration is malformed: '%s', in %s: %s"
              .formatted(inOneLine(line), owner, inOneLine(String.valueOf(e.getMessage()))),
          e);
    }
  }

  /** Returns a text with question marks for its line breaks and control characters. */
  private static String inOneLine(String text) {
    return text.replaceAll("\\R|\\p{Cntrl}", "?");
  }
}
