package io.github.liquidscheduler.cli.prediction;

import io.github.liquidscheduler.cli.output.OutputFile;
import io.github.liquidscheduler.text.Count;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option that names the CSV to write. */
final class CsvOutput {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--out",
      paramLabel = "FILE",
      required = true,
      converter = OutputFile.Converter.class,
      description = "CSV to write.")
  private OutputFile file = new OutputFile(Path.of(""));

  /** Writes the CSV and reports it. */
  void write(int rows, OutputFile.Content content) {
    file.write(content);
    new Console(spec).print("wrote %s: %s", file, Count.of(rows, "row"));
  }
}
