package io.github.liquidscheduler.cli.prediction;

import io.github.liquidscheduler.cli.output.OutputFile;
import io.github.liquidscheduler.text.Count;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that names the file of a trained model. */
final class ModelOutput {
  @Option(
      names = "--out",
      paramLabel = "FILE",
      required = true,
      converter = OutputFile.Converter.class,
      description = "ONNX file to write.")
  private OutputFile file = new OutputFile(Path.of(""));

  /** Writes the model and reports it, with its training data. */
  void write(byte[] model, Console console, int samples) {
    file.write(path -> Files.write(path, model));
    console.print(
        "wrote %s: %s, %s", file, Count.of(samples, "sample"), Count.of(model.length, "byte"));
  }
}
