package io.github.liquidscheduler.training.measurement;

import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.training.table.CsvTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.apache.commons.csv.CSVRecord;

/**
 * Reads and writes co-location measurements as CSV. Unknown fields are empty; rates are iterations
 * per second, utilisations from 0 to 1, memory in bytes. Speeds a little above 1.05 are noise and
 * read as 1.05; a value that cannot be is refused with file, line and column.
 */
public final class MeasurementCsv {
  /** The columns in their order. */
  public static final List<String> COLUMNS =
      List.of(
          "gpu",
          "family",
          "batch",
          "precision",
          "isolated_rate",
          "utilization",
          "memory_bandwidth_utilization",
          "memory_bytes",
          "co_family",
          "co_batch",
          "co_precision",
          "co_isolated_rate",
          "co_utilization",
          "co_memory_bandwidth_utilization",
          "co_memory_bytes",
          "retained_speed");

  private static final CSVFormat PLAIN = CSVFormat.RFC4180.builder().setRecordSeparator('\n').get();

  private MeasurementCsv() {}

  /**
   * Reads the file.
   *
   * @throws IOException if it cannot be read
   * @throws IllegalArgumentException if a column is missing or a field is malformed
   */
  public static List<Measurement> read(Path file) throws IOException {
    try (CsvTable table = CsvTable.open(file)) {
      requireColumns(table.header(), file);
      List<Measurement> measurements = new ArrayList<>();
      for (Optional<CSVRecord> row = table.next(); row.isPresent(); row = table.next()) {
        measurements.add(new Line(file, table.line(), row.get()).measurement());
      }
      return measurements;
    }
  }

  /** Writes the measurements, replacing the file. */
  public static void write(Path file, List<Measurement> measurements) throws IOException {
    try (CSVPrinter printer = PLAIN.print(Files.newBufferedWriter(file))) {
      printer.printRecord(COLUMNS);
      for (Measurement each : measurements) {
        List<String> fields = new ArrayList<>(List.of(each.gpu().name()));
        addProfile(fields, each.victim());
        addProfile(fields, each.coRunner());
        fields.add(number(each.retainedSpeed()));
        printer.printRecord(fields);
      }
    }
  }

  /**
   * Writes the rows of one file to another, or back to the same, with further cells behind each.
   *
   * @param columns the names of the further columns
   * @param cells as many rows as the file has, as many cells as there are further columns
   * @throws IOException if a file cannot be read or written
   * @throws IllegalArgumentException if a row is malformed
   */
  public static void append(Path from, Path to, List<String> columns, List<List<Double>> cells)
      throws IOException {
    List<List<Object>> rows = new ArrayList<>();
    try (CsvTable table = CsvTable.open(from)) {
      rows.add(joined(table.header(), columns));
      for (List<Double> more : cells) {
        rows.add(joined(table.next().orElseThrow().toList(), more));
      }
    }
    try (CSVPrinter printer = PLAIN.print(Files.newBufferedWriter(to))) {
      printer.printRecords(rows);
    }
  }

  private static List<Object> joined(List<?> some, List<?> more) {
    List<Object> all = new ArrayList<>(some);
    all.addAll(more);
    return all;
  }

  private static void addProfile(List<String> fields, ColocationProfile profile) {
    Workload workload = profile.workload();
    fields.add(workload.family());
    fields.add(workload.batchSize().isPresent() ? "" + workload.batchSize().getAsInt() : "");
    fields.add(workload.precision().orElse(""));
    fields.add(number(profile.isolatedRate()));
    fields.add(number(profile.utilization()));
    fields.add(number(profile.memoryBandwidthUtilization()));
    fields.add(number(profile.memoryBytes()));
  }

  private static String number(double value) {
    return Double.isNaN(value) ? "" : Double.toString(value);
  }

  private static void requireColumns(List<String> actual, Path file) {
    List<String> missing = new ArrayList<>(COLUMNS);
    missing.removeAll(actual);
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException(
          "co-location measurements need the columns "
              + missing
              + ", which are missing in "
              + file);
    }
  }

  /** One row and where it stands. */
  private record Line(Path file, long number, CSVRecord row) {

    Measurement measurement() {
      try {
        return checked();
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "%s, in %s, line %d".formatted(e.getMessage(), file, number), e);
      }
    }

    private Measurement checked() {
      double speed = real("retained_speed");
      if (speed <= 0 || Double.isInfinite(speed)) {
        throw bad("retained_speed", "a positive number");
      }
      return new Measurement(
          gpu(),
          profile(""),
          profile("co_"),
          Math.min(speed, InterferencePredictor.MAX_RETAINED_SPEED));
    }

    private GpuModel gpu() {
      if (row.get("gpu").isBlank()) {
        throw bad("gpu", "the name of a GPU model");
      }
      return GpuModel.of(row.get("gpu"));
    }

    private ColocationProfile profile(String prefix) {
      return new ColocationProfile(
          workload(prefix),
          real(prefix + "isolated_rate"),
          real(prefix + "utilization"),
          real(prefix + "memory_bandwidth_utilization"),
          real(prefix + "memory_bytes"));
    }

    private Workload workload(String prefix) {
      Workload.Builder workload = Workload.builder(row.get(prefix + "family"));
      if (!row.get(prefix + "batch").isBlank()) {
        workload.batchSize(batch(prefix + "batch"));
      }
      if (!row.get(prefix + "precision").isBlank()) {
        workload.precision(row.get(prefix + "precision"));
      }
      return workload.build();
    }

    private int batch(String column) {
      try {
        return Integer.parseInt(row.get(column));
      } catch (NumberFormatException e) {
        throw bad(column, "a whole number");
      }
    }

    private double real(String column) {
      String text = row.get(column);
      if (text.isBlank()) {
        return Double.NaN;
      }
      try {
        double value = Double.parseDouble(text);
        if (Double.isFinite(value)) {
          return value;
        }
      } catch (NumberFormatException e) {
        throw bad(column, "a number");
      }
      throw bad(column, "a finite number");
    }

    private IllegalArgumentException bad(String column, String rule) {
      return new IllegalArgumentException(
          "%s must be %s, but was '%s'".formatted(column, rule, row.get(column)));
    }
  }
}
