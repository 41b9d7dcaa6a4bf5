package io.github.liquidscheduler.simulator.trace;

import io.github.liquidscheduler.formats.input.BoundedLines;
import io.github.liquidscheduler.formats.input.Row;
import io.github.liquidscheduler.formats.input.Rows;
import java.io.InputStream;
import java.util.List;
import org.apache.commons.csv.CSVFormat;

/**
 * Reads the format of the Tiresias simulator (NSDI 2019): CSV with the header {@code
 * job_id,num_gpu,submit_time,iterations,model_name,duration,interval}, times in seconds. {@code
 * interval} repeats what the submission times say and is not read; {@code iterations} and {@code
 * model_name} may be missing.
 */
final class TiresiasReader implements LineReader {

  private static final List<String> REQUIRED =
      List.of(TraceColumns.JOB_ID, TraceColumns.GPUS, TraceColumns.SUBMIT, TraceColumns.DURATION);

  @Override
  public Lines begin(String source, InputStream bytes) {
    return Lines.of(
        Rows.withHeader(new BoundedLines(source, bytes), CSVFormat.DEFAULT, REQUIRED),
        (jobs, row) -> jobs.addFromStart(row.seconds(TraceColumns.SUBMIT), job(row)));
  }

  private static TraceJob.Builder job(Row row) {
    TraceJob.Builder job =
        TraceJob.builder(row.text(TraceColumns.JOB_ID))
            .gpus((int) row.whole(TraceColumns.GPUS, 1, TraceJob.MOST_GPUS))
            .duration(row.seconds(TraceColumns.DURATION))
            .line(row.line());
    row.optionalWhole(TraceColumns.ITERATIONS, 1, TraceJob.MOST_ITERATIONS)
        .ifPresent(job::iterations);
    row.optionalText(TraceColumns.MODEL).ifPresent(job::model);
    return job;
  }
}
