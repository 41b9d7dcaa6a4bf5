package io.github.liquidscheduler.cli.rounds;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a number of steps. */
public final class StepsConverter implements ITypeConverter<Integer> {
  @Override
  public Integer convert(String value) {
    if (!value.matches("\\d{1,9}")) {
      throw new TypeConversionException(
          "steps must be a whole number from 0 to 999999999, but were '" + value + "'");
    }
    return Integer.valueOf(value);
  }
}
