package io.github.liquidscheduler.training.measurement;

import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.training.table.CsvRow;
import io.github.liquidscheduler.training.table.CsvTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reads and writes co-location measurements as CSV. Unknown fields are empty; rates are iterations
 * per second, utilisations from 0 to 1, memory in bytes. Speeds a little above 1.05 are noise and
 * read as 1.05; a value that cannot be is refused with file, line and column.
 */
public final class MeasurementCsv {
  private static final List<String> PROFILE =
      List.of(
          "family",
          "batch",
          "precision",
          "isolated_rate",
          "utilization",
          "memory_bandwidth_utilization",
          "memory_bytes");
  private static final String CO_RUNNER = "co_";
  private static final String RETAINED_SPEED = "retained_speed";

  /** The columns in their order. */
  public static final List<String> COLUMNS =
      Stream.of(
              Stream.of("gpu"),
              PROFILE.stream(),
              PROFILE.stream().map(CO_RUNNER::concat),
              Stream.of(RETAINED_SPEED))
          .flatMap(columns -> columns)
          .toList();

  /** Those that a table of questions must have. */
  private static final List<String> IDENTITY =
      List.of("gpu", "family", "batch", "co_family", "co_batch");

  private MeasurementCsv() {}

  /**
   * Reads the file, of which {@code gpu}, the families, the batch sizes and {@code retained_speed}
   * must be there.
   *
   * @throws IOException if it cannot be read
   * @throws IllegalArgumentException if a column is missing or a field is malformed
   */
  public static List<Measurement> read(Path file) throws IOException {
    return read(file, Stream.concat(IDENTITY.stream(), Stream.of(RETAINED_SPEED)).toList());
  }

  /**
   * Reads co-locations whose speed is asked for: as {@link #read}, but {@code retained_speed} need
   * not be there.
   *
   * @throws IOException if it cannot be read
   * @throws IllegalArgumentException if a column is missing or a field is malformed
   */
  public static List<Measurement> readQuestions(Path file) throws IOException {
    return read(file, IDENTITY);
  }

  private static List<Measurement> read(Path file, List<String> required) throws IOException {
    CsvTable table = CsvTable.read(file);
    List<String> missing = new ArrayList<>(required);
    missing.removeAll(table.header());
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException(
          "co-locations need the columns %s, which are missing in %s".formatted(missing, file));
    }
    return table.rows().stream().map(MeasurementCsv::measurement).toList();
  }

  /** Writes the measurements, replacing the file. */
  public static void write(Path file, List<Measurement> measurements) throws IOException {
    CsvTable.write(file, COLUMNS, measurements.stream().map(MeasurementCsv::fields).toList());
  }

  private static List<String> fields(Measurement each) {
    List<String> fields = new ArrayList<>();
    fields.add(each.gpu().name());
    for (ColocationProfile profile : List.of(each.victim(), each.coRunner())) {
      Workload workload = profile.workload();
      fields.add(workload.family());
      fields.add(workload.batchSize().isPresent() ? "" + workload.batchSize().getAsInt() : "");
      fields.add(workload.precision().orElse(""));
      fields.add(number(profile.isolatedRate()));
      fields.add(number(profile.utilization()));
      fields.add(number(profile.memoryBandwidthUtilization()));
      fields.add(number(profile.memoryBytes()));
    }
    fields.add(number(each.retainedSpeed()));
    return fields;
  }

  private static String number(double value) {
    return Double.isNaN(value) ? "" : Double.toString(value);
  }

  private static Measurement measurement(CsvRow row) {
    double speed = number(row, RETAINED_SPEED);
    if (speed <= 0 || speed > InterferencePredictor.MAX_RETAINED_SPEED) {
      throw row.refusal(RETAINED_SPEED, "a number in (0, 1.05]");
    }
    return new Measurement(gpu(row), profile(row, ""), profile(row, CO_RUNNER), speed);
  }

  private static GpuModel gpu(CsvRow row) {
    if (row.text("gpu").isEmpty()) {
      throw row.refusal("gpu", "the name of a GPU model");
    }
    return GpuModel.of(row.text("gpu"));
  }

  private static ColocationProfile profile(CsvRow row, String prefix) {
    Workload.Builder workload = Workload.builder(row.stated(prefix + "family"));
    int batch = row.whole(prefix + "batch", 0, 1);
    if (batch > 0) {
      workload.batchSize(batch);
    }
    if (!row.text(prefix + "precision").isEmpty()) {
      workload.precision(row.text(prefix + "precision"));
    }
    double rate = number(row, prefix + "isolated_rate");
    double utilization = number(row, prefix + "utilization");
    double bandwidth = number(row, prefix + "memory_bandwidth_utilization");
    double memory = number(row, prefix + "memory_bytes");
    try {
      return new ColocationProfile(workload.build(), rate, utilization, bandwidth, memory);
    } catch (IllegalArgumentException e) {
      throw row.refusal(e);
    }
  }

  private static double number(CsvRow row, String column) {
    return row.number(column).orElse(Double.NaN);
  }
}
