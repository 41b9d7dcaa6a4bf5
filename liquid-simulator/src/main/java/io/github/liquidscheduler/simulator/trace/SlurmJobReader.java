package io.github.liquidscheduler.simulator.trace;

import io.github.liquidscheduler.formats.input.BoundedLines;
import io.github.liquidscheduler.formats.input.Row;
import io.github.liquidscheduler.formats.input.Rows;
import io.github.liquidscheduler.simulator.input.LogTimes;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.csv.CSVFormat;

/**
 * Reads what Slurm's {@code sacct --parsable2} prints of jobs with the columns {@code JobID},
 * {@code Submit}, {@code Start}, {@code End} and {@code ReqTRES} or {@code AllocTRES}. Steps of
 * jobs ({@code 7.batch}) are passed over. A job has one task for each node. What {@code
 * --duplicates} prints of a job that was requeued is one job: submitted as its first line says, it
 * ran for the time of all lines.
 */
final class SlurmJobReader implements LineReader {

  private static final String ID = "JobID";
  private static final List<String> REQUIRED =
      List.of(ID, SlurmJob.SUBMIT, SlurmJob.START, SlurmJob.END);
  private static final CSVFormat FORMAT =
      CSVFormat.DEFAULT.builder().setDelimiter('|').setQuote(null).get();

  @Override
  public Lines begin(String source, InputStream bytes) {
    LogTimes times = new LogTimes();
    return Lines.of(
        rows(source, bytes),
        (jobs, row) -> {
          if (isJob(row)) {
            SlurmJob job = new SlurmJob(row.text(ID), List.of(row), times);
            if (job.mayHaveBeenRequeued()) {
              jobs.mayHaveMorePieces();
            }
            job.addTo(jobs);
          }
        });
  }

  @Override
  public Trace read(String source, InputStream bytes) {
    Rows rows = rows(source, bytes);
    Map<String, List<Row>> byJob = new LinkedHashMap<>();
    for (Row row = rows.next(); row != null; row = rows.next()) {
      if (isJob(row)) {
        byJob.computeIfAbsent(row.text(ID), id -> new ArrayList<>(1)).add(row);
      }
    }
    LogTimes times = new LogTimes();
    LoggedJobs jobs = LoggedJobs.held(source);
    byJob.forEach((id, lines) -> new SlurmJob(id, lines, times).addTo(jobs));
    return jobs.trace();
  }

  private static Rows rows(String source, InputStream bytes) {
    Rows rows = Rows.withHeader(new BoundedLines(source, bytes), FORMAT, REQUIRED);
    if (SlurmJob.RESOURCES.stream().noneMatch(rows::hasColumn)) {
      throw rows.headerError("have the column 'ReqTRES' or 'AllocTRES'");
    }
    return rows;
  }

  private static boolean isJob(Row row) {
    return row.text(ID).indexOf('.') < 0;
  }
}
