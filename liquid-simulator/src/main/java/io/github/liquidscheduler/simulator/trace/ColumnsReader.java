package io.github.liquidscheduler.simulator.trace;

import io.github.liquidscheduler.simulator.input.BoundedLines;
import io.github.liquidscheduler.simulator.input.LogTimes;
import io.github.liquidscheduler.simulator.input.Row;
import io.github.liquidscheduler.simulator.input.Rows;
import java.io.InputStream;
import java.time.Duration;
import org.apache.commons.csv.CSVFormat;

/**
 * Reads CSV files with a header, of which {@link TraceColumns} say which column tells what. Times
 * may be numbers or times of a clock.
 */
final class ColumnsReader implements TraceReader {

  private final TraceColumns columns;
  private final Duration unit;

  /**
   * Makes a reader.
   *
   * @param unit what numbers that are times count
   */
  ColumnsReader(TraceColumns columns, Duration unit) {
    this.columns = columns;
    this.unit = unit;
  }

  @Override
  public Trace read(String source, InputStream bytes) {
    Rows rows =
        Rows.withHeader(new BoundedLines(source, bytes), CSVFormat.DEFAULT, columns.required());
    LoggedJobs jobs = new LoggedJobs(source);
    LogTimes times = new LogTimes();
    for (Row row = rows.next(); row != null; row = rows.next()) {
      new ColumnsRow(columns, row, times, unit).addTo(jobs);
    }
    return jobs.trace();
  }
}
