package io.github.liquidscheduler.estimator.workload;

import java.util.OptionalDouble;
import java.util.regex.Pattern;

/** Numbers in hyper-parameters and tables. */
public final class FiniteNumber {
  private static final Pattern NUMBER =
      Pattern.compile("[-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?");

  private FiniteNumber() {}

  /** Returns {@code text} as a number, or empty if it is not a finite decimal number. */
  public static OptionalDouble of(String text) {
    if (text.isEmpty() || !NUMBER.matcher(text).matches()) {
      return OptionalDouble.empty();
    }
    double value = Double.parseDouble(text);
    return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
  }
}
