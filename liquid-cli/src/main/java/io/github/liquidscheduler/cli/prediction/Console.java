package io.github.liquidscheduler.cli.prediction;

import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;

/** The standard output of a command. */
public record Console(CommandSpec spec) {

  // The annotation that it asks for would be one more dependency.
  @SuppressWarnings("AnnotateFormatMethod")
  public void print(String format, Object... values) {
    PrintWriter writer = spec.commandLine().getOut();
    writer.println(String.format(Locale.ROOT, format, values));
    writer.flush();
  }
}
