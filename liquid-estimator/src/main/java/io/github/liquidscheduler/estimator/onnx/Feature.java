package io.github.liquidscheduler.estimator.onnx;

import java.util.Locale;

/**
 * One input column of a model. The model file scales its own inputs; mean and scale are stated so
 * that a reader can tell what is far from the training data.
 *
 * @param name the name, such as {@code log_batch}; no blank, {@code ;} or line break
 * @param unit the unit, such as {@code samples}, or {@code 1} for a plain number
 * @param mean the mean over the training data
 * @param scale what one standard step is; positive
 */
public record Feature(String name, String unit, double mean, double scale) {
  private static final String INDEX = "index";

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if a name or unit is blank or has a forbidden character, or
   *     the numbers are not finite, or the scale is not positive
   */
  public Feature {
    requireWord(name, "name");
    requireWord(unit, "unit");
    if (!Double.isFinite(mean) || !Double.isFinite(scale) || scale <= 0) {
      throw new IllegalArgumentException(
          "a feature's mean must be finite and its scale positive, but were %s and %s, for '%s'"
              .formatted(mean, scale, name));
    }
  }

  /** Returns a column that is used as it is. */
  public static Feature plain(String name, String unit) {
    return new Feature(name, unit, 0, 1);
  }

  /** Returns a column that picks a row of a table, so that only some whole numbers make sense. */
  public static Feature index(String name) {
    return plain(name, INDEX);
  }

  /** Returns a value that lies {@code steps} standard steps from the mean; an index stays 0. */
  double away(double steps) {
    return unit.equals(INDEX) ? 0 : mean + steps * scale;
  }

  boolean isSameColumn(Feature other) {
    return name.equals(other.name) && unit.equals(other.unit);
  }

  String toLine() {
    return String.format(Locale.ROOT, "%s;%s;%s;%s", name, unit, mean, scale);
  }

  static Feature fromLine(String line, String owner) {
    String[] parts = line.split(";", -1);
    if (parts.length != 4) {
      throw new IllegalArgumentException(
          "a feature line must be name;unit;mean;scale, but was '" + line + "', in " + owner);
    }
    try {
      return new Feature(
          parts[0], parts[1], Double.parseDouble(parts[2]), Double.parseDouble(parts[3]));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "a feature line is malformed: '" + line + "', in " + owner + ": " + e.getMessage(), e);
    }
  }

  private static void requireWord(String value, String what) {
    if (value.isBlank() || value.matches("(?s).*[;\\s].*")) {
      throw new IllegalArgumentException(
          "a feature's " + what + " must be one word without ';', but was '" + value + "'");
    }
  }
}
