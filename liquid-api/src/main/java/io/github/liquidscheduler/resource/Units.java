package io.github.liquidscheduler.resource;

import java.math.BigDecimal;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The units of a quantity, to read amounts as people write them: {@code 16GiB}, {@code 1.5 TB}.
 *
 * @param quantity what is measured, for messages
 * @param example an amount, for messages
 * @param units the units, each by its own name
 * @param perWhole how many of the smallest unit make one of what is counted
 */
record Units(String quantity, String example, List<Unit> units, long perWhole) {

  /**
   * A unit.
   *
   * @param name as people write it
   * @param size how many of the smallest unit it is
   */
  record Unit(String name, long size) {}

  private static final Pattern AMOUNT =
      Pattern.compile("([0-9]{1,19}(?:\\.[0-9]{1,9})?) ?([A-Za-z/]{1,8})");

  /**
   * Returns an amount in whole numbers of what is counted.
   *
   * @throws IllegalArgumentException if the text is not a number with one of the units, or is not a
   *     whole number below 2<sup>63</sup>
   */
  long parse(String text) {
    Matcher matcher = AMOUNT.matcher(text);
    if (!matcher.matches()) {
      throw refuse("a number with a unit, such as " + example, text);
    }
    long unit =
        units.stream()
            .filter(known -> known.name().equals(matcher.group(2)))
            .mapToLong(Unit::size)
            .findFirst()
            .orElseThrow(() -> refuse("a number with a unit, such as " + example, text));
    BigDecimal amount = new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit));
    try {
      return amount.divide(BigDecimal.valueOf(perWhole)).longValueExact();
    } catch (ArithmeticException e) {
      throw refuse("whole and below 2^63 when counted in bytes", text);
    }
  }

  /**
   * Returns {@code amount} times {@code unit}.
   *
   * @throws IllegalArgumentException if that is 2<sup>63</sup> or more
   */
  static long times(String quantity, long amount, long unit, String unitName) {
    try {
      return Math.multiplyExact(amount, unit);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          "%s must be below 2^63 when counted in its smallest unit, but was %d %s"
              .formatted(quantity, amount, unitName));
    }
  }

  /**
   * Returns {@code value} in thousandths.
   *
   * @throws IllegalArgumentException if it is not a whole number of thousandths below
   *     2<sup>63</sup>
   */
  static long thousandths(String quantity, double value) {
    try {
      return BigDecimal.valueOf(value).movePointRight(3).longValueExact();
    } catch (ArithmeticException | NumberFormatException e) {
      throw new IllegalArgumentException(
          quantity + " must be a whole number of thousandths, but was " + value);
    }
  }

  private IllegalArgumentException refuse(String rule, String text) {
    return new IllegalArgumentException(
        "%s must be %s, but was \"%s\"".formatted(quantity, rule, text));
  }
}
