package io.github.liquidscheduler.cli.prediction;

import io.github.liquidscheduler.training.measurement.EarlyGavelMeasurements;
import io.github.liquidscheduler.training.measurement.GavelMeasurements;
import io.github.liquidscheduler.training.measurement.Measurement;
import io.github.liquidscheduler.training.measurement.MeasurementCsv;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * Co-location measurements from a file: Gavel's throughputs if it ends in {@code .json}, CSV unless
 * its first line is a title alone, which is how Gavel's early measurements begin.
 */
final class MeasurementFiles {
  private MeasurementFiles() {}

  static List<Measurement> read(Path file) throws IOException {
    if (file.toString().endsWith(".json")) {
      return GavelMeasurements.read(file);
    }
    try (BufferedReader reader = Files.newBufferedReader(file)) {
      String first = reader.readLine();
      return first != null && first.matches("[^,]+,+")
          ? EarlyGavelMeasurements.read(file)
          : MeasurementCsv.read(file);
    }
  }

  /** Returns the SHA-256 of files, one after the other. */
  static String hash(Path... files) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (Path file : files) {
        digest.update(Files.readAllBytes(file));
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
