package io.github.liquidscheduler.cli.prediction;

import io.github.liquidscheduler.training.measurement.Measurement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that adds training data which is never used for evaluation. */
public final class ExtraTrainingData {
  @Option(
      names = "--extra-data",
      paramLabel = "FILE",
      description =
          "Additional training data, never used for evaluation: a file like --data, or Gavel's"
              + " early CSV.")
  private @Nullable Path file;

  public List<Measurement> measurements() throws IOException {
    return file == null ? List.of() : MeasurementFiles.read(file);
  }

  /** Returns the SHA-256 of a file and of this after it. */
  public String hashWith(Path data) throws IOException {
    return file == null ? MeasurementFiles.hash(data) : MeasurementFiles.hash(data, file);
  }
}
