package io.github.liquidscheduler.cli.prediction;

import io.github.liquidscheduler.training.measurement.Measurement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** The option that names measured co-locations. */
public final class InterferenceData {
  @Option(
      names = "--data",
      paramLabel = "FILE",
      required = true,
      description = "Measurements: CSV, or Gavel's throughput JSON.")
  private Path file = Path.of("");

  public Path file() {
    return file;
  }

  public List<Measurement> measurements() throws IOException {
    return MeasurementFiles.read(file);
  }

  /** Returns the measurements, and refuses a file without any. */
  public List<Measurement> measured() throws IOException {
    List<Measurement> measurements = measurements();
    if (measurements.stream().noneMatch(Measurement::isMeasured)) {
      throw new IllegalArgumentException(
          "there must be measured co-locations, but there are none in " + file);
    }
    return measurements;
  }
}
