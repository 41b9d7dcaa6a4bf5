package io.github.liquidscheduler.formats.input;

import io.github.liquidscheduler.formats.InputFormatException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One line of a delimited text: its values by column, checked as they are asked for. */
public final class Row {

  private static final int LONGEST_NUMBER = 40;
  private static final long MOST_SECONDS = 36_500L * 86_400;

  /** Arithmetic on 1e-999999999 would take gigabytes. */
  private static final int WIDEST_EXPONENT = 40;

  private static final BigDecimal MOST = BigDecimal.valueOf(1e18);

  private final String source;
  private final int line;
  private final Map<String, Integer> columns;
  private final RowValues values;

  Row(String source, int line, Map<String, Integer> columns, RowValues values) {
    this.source = source;
    this.line = line;
    this.columns = columns;
    this.values = values;
  }

  /** Returns the number of the line, from 1. */
  public int line() {
    return line;
  }

  /** Returns true if the text has a column called {@code column}. */
  public boolean has(String column) {
    return columns.containsKey(column);
  }

  /** Returns the value of a column that must be there and not blank. */
  public String text(String column) {
    @Nullable Integer index = columns.get(column);
    if (index == null || values.isEmpty(index)) {
      throw error(column, "must not be blank");
    }
    return values.text(index);
  }

  /** Returns the value of a column, empty if the text has no such column or it is blank here. */
  public Optional<String> optionalText(String column) {
    @Nullable Integer index = columns.get(column);
    return index == null || values.isEmpty(index)
        ? Optional.empty()
        : Optional.of(values.text(index));
  }

  /** Returns a whole number from {@code least} to {@code most}; {@code 4.0} is a whole number. */
  public long whole(String column, long least, long most) {
    long plain = plainDigits(column);
    if (plain >= Math.max(0, least) && plain <= most) {
      return plain;
    }
    Supplier<String> rule = () -> "must be a whole number from " + least + " to " + most;
    BigDecimal number = number(column, rule, BigDecimal.valueOf(least), BigDecimal.valueOf(most));
    if (number.signum() != 0 && number.stripTrailingZeros().scale() > 0) {
      throw error(column, rule.get());
    }
    return number.longValue();
  }

  /** Returns a whole number as {@link #whole}, or nothing where {@link #optionalText} is empty. */
  public OptionalLong optionalWhole(String column, long least, long most) {
    @Nullable Integer index = columns.get(column);
    return index == null || values.isEmpty(index)
        ? OptionalLong.empty()
        : OptionalLong.of(whole(column, least, most));
  }

  /** Returns a time in seconds, from 0 to a hundred years of 365 days, to the nanosecond. */
  public Duration seconds(String column) {
    long most = MOST_SECONDS;
    long plain = plainDigits(column);
    if (plain >= 0 && plain <= most) {
      return Duration.ofSeconds(plain);
    }
    Supplier<String> rule = () -> "must be a number of seconds from 0 to " + most;
    BigDecimal seconds = number(column, rule, BigDecimal.ZERO, BigDecimal.valueOf(most));
    BigDecimal nanos = seconds.movePointRight(9).setScale(0, RoundingMode.HALF_EVEN);
    return Duration.ofNanos(nanos.longValueExact());
  }

  /** Returns a number from {@code least} to {@code most}. */
  public BigDecimal decimal(String column, BigDecimal least, BigDecimal most) {
    return number(
        column, () -> "must be a number from %s to %s".formatted(least, most), least, most);
  }

  /** Returns a number above 0. */
  public double positive(String column) {
    String rule = "must be a number above 0";
    double number = number(column, () -> rule, BigDecimal.ZERO, MOST).doubleValue();
    if (number == 0) {
      throw error(column, rule);
    }
    return number;
  }

  /** Returns a number that is not negative. */
  public double notNegative(String column) {
    return number(column, () -> "must be a number of at least 0", BigDecimal.ZERO, MOST)
        .doubleValue();
  }

  /** Returns an exception about a rule broken by the value of {@code column}. */
  public InputFormatException error(String column, String rule) {
    return new InputFormatException(
        "%s:%d: column '%s' %s, but was %s"
            .formatted(source, line, column, rule, Quoted.of(optionalText(column).orElse(""))));
  }

  /** Returns the number in a column if it is made of digits alone, and not too many; else -1. */
  private long plainDigits(String column) {
    @Nullable Integer index = columns.get(column);
    return index == null ? -1 : values.plainDigits(index);
  }

  private BigDecimal number(
      String column, Supplier<String> rule, BigDecimal least, BigDecimal most) {
    String text = text(column);
    if (text.length() > LONGEST_NUMBER) {
      throw error(column, rule.get());
    }
    try {
      BigDecimal number = new BigDecimal(text);
      if (Math.abs(number.scale()) <= WIDEST_EXPONENT
          && number.compareTo(least) >= 0
          && number.compareTo(most) <= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Not a number is as wrong as a number out of range, and the message is the same.
    }
    throw error(column, rule.get());
  }
}
