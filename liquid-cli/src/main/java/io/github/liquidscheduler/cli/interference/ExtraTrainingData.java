package io.github.liquidscheduler.cli.interference;

import io.github.liquidscheduler.training.measurement.Measurement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option of those who learn from more measurements than they are judged by. */
final class ExtraTrainingData {
  @Option(
      names = "--also",
      description = "More to learn from, never asked for: like --data, or Gavel's early CSV.")
  private @Nullable Path file;

  List<Measurement> measurements() throws IOException {
    return file == null ? List.of() : MeasurementFiles.read(file);
  }

  /** Returns the SHA-256 of a file and of this after it. */
  String hashWith(Path data) throws IOException {
    return file == null ? MeasurementFiles.hash(data) : MeasurementFiles.hash(data, file);
  }
}
