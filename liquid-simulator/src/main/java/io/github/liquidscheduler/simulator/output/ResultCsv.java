package io.github.liquidscheduler.simulator.output;

import io.github.liquidscheduler.formats.output.CsvWriter;
import io.github.liquidscheduler.simulator.JobFate;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.metrics.JobOutcome;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The outcome of each job as CSV with a header, one line per job. Times are in seconds; {@code
 * submit}, {@code first_start} and {@code end} count from the start of the trace. Values of jobs
 * that did not finish are empty. Not thread-safe.
 */
public final class ResultCsv {

  private static final String HEADER =
      "job,gpus,status,submit,first_start,end,jct,queueing,running,preemptions,failures,why";

  private static final int UNKNOWN = 7;

  private final CsvWriter rows;

  /**
   * Begins with the header.
   *
   * @param text stays open
   * @throws UncheckedIOException if it cannot be written
   */
  public ResultCsv(Appendable text) {
    rows = new CsvWriter(text);
    print(List.of(HEADER.split(",", -1)));
  }

  /**
   * Writes the lines of all jobs to {@code text}, which stays open, in the order of the trace.
   *
   * @throws UncheckedIOException if it cannot be written
   */
  public static void write(SimulationResult result, Appendable text) {
    result.fates().forEach(new ResultCsv(text)::add);
  }

  /**
   * Writes the line of a job.
   *
   * @throws UncheckedIOException if it cannot be written
   */
  public void add(JobFate fate) {
    print(row(fate));
  }

  private void print(List<?> cells) {
    try {
      rows.row(cells);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Object> row(JobFate fate) {
    return switch (fate) {
      case JobFate.Finished finished -> finished(finished.outcome(), finished.failures());
      case JobFate.Rejected rejected -> ended("rejected", rejected);
      case JobFate.Unfinished unfinished -> ended("unfinished", unfinished);
    };
  }

  private static List<Object> finished(JobOutcome outcome, int failures) {
    return List.of(
        outcome.job().id(),
        outcome.job().gpus(),
        "finished",
        seconds(outcome.job().submit()),
        seconds(outcome.firstStart()),
        seconds(outcome.end()),
        seconds(outcome.completion()),
        seconds(outcome.queueing()),
        seconds(outcome.running()),
        outcome.preemptions(),
        failures,
        "");
  }

  private static List<Object> ended(String status, JobFate fate) {
    TraceJob job = fate.job();
    List<Object> row = new ArrayList<>();
    Collections.addAll(row, job.id(), job.gpus(), status, seconds(job.submit()));
    row.addAll(Collections.nCopies(UNKNOWN, ""));
    row.add(ResultJson.why(fate));
    return row;
  }

  private static String seconds(Duration time) {
    BigDecimal seconds =
        BigDecimal.valueOf(time.getSeconds()).add(BigDecimal.valueOf(time.getNano(), 9));
    return seconds.signum() == 0 ? "0" : seconds.stripTrailingZeros().toPlainString();
  }
}
