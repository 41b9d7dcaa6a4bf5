package io.github.liquidscheduler.cli.prediction;

import com.google.common.hash.Hashing;
import com.google.common.io.ByteSource;
import com.google.common.io.MoreFiles;
import io.github.liquidscheduler.training.measurement.EarlyGavelMeasurements;
import io.github.liquidscheduler.training.measurement.GavelMeasurements;
import io.github.liquidscheduler.training.measurement.Measurement;
import io.github.liquidscheduler.training.measurement.MeasurementCsv;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

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
    return ByteSource.concat(Stream.of(files).map(file -> MoreFiles.asByteSource(file)).toList())
        .hash(Hashing.sha256())
        .toString();
  }
}
