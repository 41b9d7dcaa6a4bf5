package io.github.liquidscheduler.cli.output;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the file of an HTML report, which is no text for the standard output. */
public final class HtmlOutput implements ITypeConverter<OutputFile> {

  private final OutputFile.Converter converter = new OutputFile.Converter();

  @Override
  public OutputFile convert(String value) {
    OutputFile file = converter.convert(value);
    if (file.isStandardOutput()) {
      throw new TypeConversionException(
          "an HTML report cannot go to the standard output. Name a file, such as report.html.");
    }
    return file;
  }
}
