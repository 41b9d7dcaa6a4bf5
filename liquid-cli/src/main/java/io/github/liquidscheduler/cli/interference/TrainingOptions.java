package io.github.liquidscheduler.cli.interference;

import io.github.liquidscheduler.training.measurement.Measurement;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options of a training: the measurements, and the file of the model. */
final class TrainingOptions {
  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = "--data",
      paramLabel = "FILE",
      required = true,
      description = "Measurements: CSV, or Gavel's throughput JSON.")
  private Path data = Path.of("");

  @Option(
      names = "--out",
      paramLabel = "FILE",
      required = true,
      description = "ONNX file to write.")
  private Path out = Path.of("");

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Random seed (default: 1).")
  private long seed;

  List<Measurement> measurements() throws IOException {
    return MeasurementFiles.read(data);
  }

  Path data() {
    return data;
  }

  /** Returns the hash of the data, which a model carries. */
  String hash() throws IOException {
    return MeasurementFiles.hash(data);
  }

  long seed() {
    return seed;
  }

  /** Writes the model and says so. */
  void write(byte[] model) throws IOException {
    Files.write(out, model);
    PrintWriter writer = Printing.to(spec);
    writer.printf("wrote %s, %d bytes%n", out, model.length);
    writer.flush();
  }
}
