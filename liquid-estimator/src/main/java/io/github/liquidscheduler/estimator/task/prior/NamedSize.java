package io.github.liquidscheduler.estimator.task.prior;

import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The number of parameters that a model's name states, such as {@code Llama-3-70B}. */
final class NamedSize {
  private static final Pattern SIZE =
      Pattern.compile("(?:(\\d{1,3})[xX])?(\\d{1,4}(?:\\.\\d{1,3})?)([bBmM])(?![A-Za-z0-9])");

  private NamedSize() {}

  /**
   * Returns the number before a {@code b} (billions) or {@code m} (millions) that ends a word, if
   * any, times the experts, as in {@code 8x7B}.
   */
  static OptionalDouble of(String name) {
    Matcher found = SIZE.matcher(name);
    if (!found.find()) {
      return OptionalDouble.empty();
    }
    String experts = found.group(1);
    double unit = found.group(3).equalsIgnoreCase("b") ? 1e9 : 1e6;
    double size = unit * Double.parseDouble(found.group(2));
    double all = experts == null ? size : size * Integer.parseInt(experts);
    return all > 0 ? OptionalDouble.of(all) : OptionalDouble.empty();
  }
}
