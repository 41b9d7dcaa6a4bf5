package io.github.liquidscheduler.cli.interference;

import java.io.PrintWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** The standard output of a command. */
final class Printing {
  private Printing() {}

  static PrintWriter to(@Nullable CommandSpec spec) {
    return Objects.requireNonNull(spec, "spec").commandLine().getOut();
  }
}
