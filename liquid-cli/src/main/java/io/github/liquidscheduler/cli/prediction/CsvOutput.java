package io.github.liquidscheduler.cli.prediction;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that names the CSV to write. */
final class CsvOutput {
  @Option(names = "--out", paramLabel = "FILE", required = true, description = "CSV to write.")
  private Path file = Path.of("");

  Path file() {
    return file;
  }
}
