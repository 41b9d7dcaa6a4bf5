package io.github.liquidscheduler.cli.interference;

import io.github.liquidscheduler.training.measurement.GavelThroughputs;
import io.github.liquidscheduler.training.measurement.Measurement;
import io.github.liquidscheduler.training.measurement.MeasurementCsv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * Co-location measurements from a file: CSV, or Gavel's throughputs if it ends in {@code .json}.
 */
final class Measurements {
  private Measurements() {}

  static List<Measurement> read(Path file) throws IOException {
    return file.toString().endsWith(".json")
        ? GavelThroughputs.read(file)
        : MeasurementCsv.read(file);
  }

  /** Reads what can be judged by, and refuses a file that holds nothing of it. */
  static List<Measurement> measured(Path file) throws IOException {
    List<Measurement> measurements = read(file);
    if (measurements.stream().noneMatch(Measurement::isMeasured)) {
      throw new IllegalArgumentException(
          "there must be measured co-locations, but there are none in " + file);
    }
    return measurements;
  }

  static String hash(Path file) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
