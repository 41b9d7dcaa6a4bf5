package io.github.liquidscheduler.simulator.trace;

import io.github.liquidscheduler.formats.input.BoundedLines;
import io.github.liquidscheduler.formats.input.Row;
import io.github.liquidscheduler.formats.input.Rows;
import java.io.InputStream;
import java.util.List;
import org.apache.commons.csv.CSVFormat;

/**
 * Reads the format of the Gavel simulator (OSDI 2020): tab-separated values, no header, times in
 * seconds, and work instead of durations, because a job's speed depends on the GPU model. Jobs are
 * named by their position, from 0, as in Gavel. Commands, weights and deadlines are ignored.
 * Accepted are the form of ten columns, that of seven of the traces made of Microsoft's virtual
 * clusters, and that of twelve of Shockwave (NSDI 2023), which also has durations and batch size
 * changes.
 */
final class GavelTraceReader implements LineReader {

  private static final String MODEL = "job_type";
  private static final String STEPS = "total_steps";
  private static final String GPUS = "scale_factor";
  private static final String SUBMIT = "arrival_time";
  private static final String DURATION = "duration";
  private static final String MODE = "mode";
  private static final String BATCH_SIZES = "batch-sizes";

  private static final List<String> COLUMNS =
      columns(
          "job_type,command,working_directory,num_steps_arg,needs_data_dir,total_steps,scale_factor,"
              + "priority_weight,SLO,arrival_time");

  private static final List<String> SHORT_COLUMNS =
      columns(
          "job_type,command,num_steps_arg,needs_data_dir,total_steps,arrival_time,scale_factor");

  private static final List<String> SHOCKWAVE_COLUMNS =
      columns(
          "job_type,command,working_directory,num_steps_arg,needs_data_dir,total_steps,scale_factor,"
              + "mode,priority_weight,SLO,duration,arrival_time");

  private static final CSVFormat FORMAT =
      CSVFormat.DEFAULT.builder().setDelimiter('\t').setQuote(null).get();

  private final List<List<String>> forms;

  private GavelTraceReader(List<List<String>> forms) {
    this.forms = forms;
  }

  /** Returns a reader of the traces of Gavel. */
  static GavelTraceReader gavel() {
    return new GavelTraceReader(List.of(COLUMNS, SHORT_COLUMNS));
  }

  /** Returns a reader of the traces of Shockwave. */
  static GavelTraceReader shockwave() {
    return new GavelTraceReader(List.of(SHOCKWAVE_COLUMNS));
  }

  @Override
  public Lines begin(String source, InputStream bytes) {
    return Lines.of(
        Rows.inOneForm(new BoundedLines(source, bytes), FORMAT, forms),
        (jobs, row) -> jobs.addFromStart(row.seconds(SUBMIT), job(jobs.size(), row)));
  }

  private static List<String> columns(String names) {
    return List.of(names.split(",", -1));
  }

  private static TraceJob.Builder job(int position, Row row) {
    TraceJob.Builder job =
        TraceJob.builder(Integer.toString(position))
            .model(row.text(MODEL))
            .iterations(row.whole(STEPS, 1, TraceJob.MOST_ITERATIONS))
            .gpus((int) row.whole(GPUS, 1, TraceJob.MOST_GPUS))
            .line(row.line());
    if (row.has(DURATION)) {
      job.duration(row.seconds(DURATION));
      job.label(BATCH_SIZES, row.text(MODE));
    }
    return job;
  }
}
