package io.github.liquidscheduler.simulator.calibration;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;

/** A CSV file of measurements with a header. */
final class MeasuredFile {

  private final Path file;
  private final List<String> header;
  private final List<CSVRecord> rows;

  private MeasuredFile(Path file, List<String> header, List<CSVRecord> rows) {
    this.file = file;
    this.header = header;
    this.rows = rows;
  }

  /**
   * Reads a file.
   *
   * @throws IllegalArgumentException if a column is missing
   */
  static MeasuredFile read(Path file, String... columns) {
    CSVFormat format = CSVFormat.RFC4180.builder().setHeader().setSkipHeaderRecord(true).get();
    try (Reader reader = Files.newBufferedReader(file);
        CSVParser parser = format.parse(reader)) {
      MeasuredFile read = new MeasuredFile(file, parser.getHeaderNames(), parser.getRecords());
      for (String column : columns) {
        read.requireColumn(column);
      }
      return read;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void requireColumn(String column) {
    if (!header.contains(column)) {
      throw new IllegalArgumentException(
          "%s:1: there must be a column '%s', but there are %s".formatted(file, column, header));
    }
  }

  List<CSVRecord> rows() {
    return rows;
  }

  int whole(CSVRecord row, String column) {
    try {
      return Integer.parseInt(text(row, column));
    } catch (NumberFormatException e) {
      throw error(row, column, "must be a whole number", e);
    }
  }

  double positive(CSVRecord row, String column) {
    try {
      double value = Double.parseDouble(text(row, column));
      if (value > 0 && value < Double.POSITIVE_INFINITY) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw error(row, column, "must be a number", e);
    }
    throw error(row, column, "must be more than 0", null);
  }

  String text(CSVRecord row, String column) {
    if (!row.isConsistent()) {
      throw new IllegalArgumentException(
          "%s:%d: a row must have %d values, but has %d"
              .formatted(file, row.getRecordNumber() + 1, header.size(), row.size()));
    }
    return row.get(column);
  }

  IllegalArgumentException error(
      CSVRecord row, String column, String rule, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        "%s:%d: column '%s' %s, but was '%s'"
            .formatted(file, row.getRecordNumber() + 1, column, rule, row.get(column)),
        cause);
  }
}
