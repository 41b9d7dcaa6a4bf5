package io.github.liquidscheduler.cli.resources;

import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** The standard output of a command. */
record Console(CommandSpec spec) {

  static Console of(@Nullable CommandSpec spec) {
    return new Console(Objects.requireNonNull(spec, "spec"));
  }

  // The annotation that it asks for would be one more dependency.
  @SuppressWarnings("AnnotateFormatMethod")
  void print(String format, Object... values) {
    var writer = spec.commandLine().getOut();
    writer.println(String.format(Locale.ROOT, format, values));
    writer.flush();
  }
}
