package io.github.liquidscheduler.cli.output;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A path on the command line, which the locale must be able to express. */
public final class PathArgument implements ITypeConverter<Path> {

  @Override
  public Path convert(String value) {
    try {
      return Path.of(value);
    } catch (InvalidPathException e) {
      throw new TypeConversionException(
          "'%s' is no path in this locale, whose encoding is %s. Set LC_ALL=C.UTF-8"
              .formatted(
                  e.getInput().replaceAll("\\p{Cntrl}", "\uFFFD"),
                  System.getProperty("sun.jnu.encoding")));
    }
  }
}
