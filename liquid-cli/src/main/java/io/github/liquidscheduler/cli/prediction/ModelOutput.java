package io.github.liquidscheduler.cli.prediction;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that names the file of a trained model. */
final class ModelOutput {
  @Option(
      names = "--out",
      paramLabel = "FILE",
      required = true,
      description = "ONNX file to write.")
  private Path file = Path.of("");

  Path file() {
    return file;
  }

  /** Writes the model and says so. */
  void write(byte[] model, Console console) throws IOException {
    Files.write(file, model);
    console.print("wrote %s, %d bytes", file, model.length);
  }
}
