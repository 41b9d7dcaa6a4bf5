package io.github.liquidscheduler.cli.output;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A time: seconds, or a number with {@code s}, {@code m}, {@code h} or {@code d}. */
public final class DurationArgument implements ITypeConverter<Duration> {

  /** How times are written, for the help of a command that takes any. */
  public static final String FORM = "Times are seconds, or a number with a unit: 90s, 15m, 2h, 1d.";

  private static final Pattern TIME = Pattern.compile("(\\d{1,10}(?:\\.\\d{1,9})?)([smhd]?)");

  @Override
  public Duration convert(String value) {
    Matcher matcher = TIME.matcher(value);
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "a time must be a number of seconds, or one such as 90s, 15m, 2h or 1d, but was '"
              + value
              + "'");
    }
    int seconds =
        switch (matcher.group(2)) {
          case "m" -> 60;
          case "h" -> 3600;
          case "d" -> 86_400;
          default -> 1;
        };
    BigDecimal nanos =
        new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(seconds)).movePointRight(9);
    if (nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      throw new TypeConversionException(
          "a time must be at most 292 years, but was '" + value + "'");
    }
    return Duration.ofNanos(nanos.longValue());
  }
}
