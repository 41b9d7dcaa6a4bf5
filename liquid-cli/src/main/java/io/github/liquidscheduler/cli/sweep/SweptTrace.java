package io.github.liquidscheduler.cli.sweep;

import io.github.liquidscheduler.simulator.trace.TraceFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A trace of a sweep, with the name of its format. */
record SweptTrace(Path file, String format, String columns) {

  /**
   * Checks that the file is there and the format is one.
   *
   * @throws IllegalArgumentException if not
   */
  SweptTrace {
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      throw new IllegalArgumentException("a trace must be a file to read, but was '" + file + "'");
    }
    TraceFormat.named(format);
  }

  /** Returns the options that name it on a command line. */
  List<String> arguments() {
    List<String> arguments = new ArrayList<>(List.of("--trace=" + file, "--format=" + format));
    if (!columns.isEmpty()) {
      arguments.add("--columns=" + columns);
    }
    return arguments;
  }
}
