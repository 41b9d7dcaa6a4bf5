package io.github.liquidscheduler.simulator.trace;

import io.github.liquidscheduler.formats.input.BoundedLines;
import io.github.liquidscheduler.formats.input.Rows;
import io.github.liquidscheduler.simulator.input.DatasetCells;
import io.github.liquidscheduler.simulator.input.LogTimes;
import java.io.InputStream;
import java.time.Duration;
import org.apache.commons.csv.CSVFormat;

/** Reads CSV files mapped by {@link TraceColumns}. Times may be numbers or clock times. */
final class ColumnsReader implements LineReader {

  private final TraceColumns columns;
  private final Duration unit;

  /** Makes a reader of files in which numbers that are times count units. */
  ColumnsReader(TraceColumns columns, Duration unit) {
    this.columns = columns;
    this.unit = unit;
  }

  @Override
  public Lines begin(String source, InputStream bytes) {
    Rows rows =
        Rows.withHeader(new BoundedLines(source, bytes), CSVFormat.DEFAULT, columns.required());
    LogTimes times = new LogTimes();
    DatasetCells datasets = new DatasetCells();
    return Lines.of(
        rows, (jobs, row) -> new ColumnsRow(columns, row, times, datasets, unit).addTo(jobs));
  }
}
