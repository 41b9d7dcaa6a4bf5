package io.github.liquidscheduler.simulator.slowdown;

import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.formats.input.BoundedLines;
import io.github.liquidscheduler.formats.input.Row;
import io.github.liquidscheduler.formats.input.Rows;
import io.github.liquidscheduler.formats.input.SourceFile;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.simulator.input.WorkloadName;
import io.github.liquidscheduler.simulator.slowdown.SlowdownTable.Direction;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.jspecify.annotations.Nullable;

/** Reads measured pairs from CSV: a line for each direction of a pair. */
final class SlowdownCsv {

  private static final String GPU = "gpu";
  private static final String FAMILY = "family";
  private static final String BATCH = "batch";
  private static final String PRECISION = "precision";
  private static final String RATE = "isolated_rate";
  private static final String UTILIZATION = "utilization";
  private static final String BANDWIDTH = "memory_bandwidth_utilization";
  private static final String MEMORY = "memory_bytes";
  private static final String CO_RUNNER = "co_";
  private static final String RETAINED = "retained_speed";

  private static final List<String> REQUIRED =
      List.of(GPU, FAMILY, BATCH, CO_RUNNER + FAMILY, CO_RUNNER + BATCH, RETAINED);

  private static final List<String> OPTIONAL =
      Stream.of(PRECISION, RATE, UTILIZATION, BANDWIDTH, MEMORY)
          .flatMap(column -> Stream.of(column, CO_RUNNER + column))
          .toList();

  private static final int MOST_SAMPLES = 999_999_999;

  private final String source;
  private final Map<Direction, Line> lines = new LinkedHashMap<>();

  private SlowdownCsv(String source) {
    this.source = source;
  }

  static List<SlowdownRow> read(Path file) {
    return SourceFile.read(file, (source, bytes) -> new SlowdownCsv(source).read(bytes));
  }

  private List<SlowdownRow> read(InputStream bytes) {
    Rows table = Rows.withHeader(new BoundedLines(source, bytes), CSVFormat.DEFAULT, REQUIRED);
    table.requireOnly(Stream.concat(REQUIRED.stream(), OPTIONAL.stream()).toList());
    for (@Nullable Row row = table.next(); row != null; row = table.next()) {
      add(row);
    }
    if (lines.isEmpty()) {
      throw new InputFormatException(
          source + ": there must be at least one measured pair, but there is none");
    }
    lines.forEach(this::requireReverse);
    return lines.values().stream().map(Line::row).toList();
  }

  private void add(Row row) {
    SlowdownRow read =
        new SlowdownRow(
            GpuModel.of(row.text(GPU)), profile(row, ""), profile(row, CO_RUNNER), retained(row));
    @Nullable Line earlier = lines.putIfAbsent(Direction.of(read), new Line(row.line(), read));
    if (earlier != null) {
      throw error(
          row.line(),
          "a direction of a pair must come once, but %s came in line %d already"
              .formatted(named(read), earlier.number()));
    }
  }

  private static double retained(Row row) {
    double speed = number(row.text(RETAINED));
    if (!(speed > 0 && speed <= InterferencePredictor.MAX_RETAINED_SPEED)) {
      throw row.error(
          RETAINED,
          "must be a number above 0 and at most " + InterferencePredictor.MAX_RETAINED_SPEED);
    }
    return speed;
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  private static ColocationProfile profile(Row row, String prefix) {
    Workload.Builder workload = Workload.builder(row.text(prefix + FAMILY));
    row.optionalWhole(prefix + BATCH, 1, MOST_SAMPLES)
        .ifPresent(samples -> workload.batchSize((int) samples));
    row.optionalText(prefix + PRECISION).ifPresent(workload::precision);
    return new ColocationProfile(
        workload.build(),
        row.optionalText(prefix + RATE).isPresent() ? row.positive(prefix + RATE) : Double.NaN,
        fraction(row, prefix + UTILIZATION),
        fraction(row, prefix + BANDWIDTH),
        row.optionalText(prefix + MEMORY).isPresent()
            ? row.notNegative(prefix + MEMORY)
            : Double.NaN);
  }

  private static double fraction(Row row, String column) {
    return row.optionalText(column).isPresent()
        ? row.decimal(column, BigDecimal.ZERO, BigDecimal.ONE).doubleValue()
        : Double.NaN;
  }

  private void requireReverse(Direction direction, Line line) {
    if (!lines.containsKey(direction.reverse())) {
      throw error(
          line.number(),
          "both directions of a pair must be there, but only %s is".formatted(named(line.row())));
    }
  }

  private static String named(SlowdownRow row) {
    return "'%s' beside '%s' on %s"
        .formatted(
            WorkloadName.of(row.victim().workload()),
            WorkloadName.of(row.coRunner().workload()),
            row.gpu());
  }

  private InputFormatException error(int line, String rule) {
    return new InputFormatException("%s:%d: %s".formatted(source, line, rule));
  }

  private record Line(int number, SlowdownRow row) {}
}
