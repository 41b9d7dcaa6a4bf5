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

  static final String JOB_ID = "job_id";
  static final String NUM_GPU = "num_gpu";
  static final String SUBMIT_TIME = "submit_time";
  static final String ITERATIONS = "iterations";
  static final String MODEL_NAME = "model_name";
  static final String DURATION = "duration";

  private static final List<String> REQUIRED = List.of(JOB_ID, NUM_GPU, SUBMIT_TIME, DURATION);

  @Override
  public Lines begin(String source, InputStream bytes) {
    Rows rows = Rows.withHeader(new BoundedLines(source, bytes), CSVFormat.DEFAULT, REQUIRED);
    return jobs -> {
      Row row = rows.next();
      if (row != null) {
        jobs.addFromStart(row.seconds(SUBMIT_TIME), job(row));
      }
      return row != null;
    };
  }

  private static TraceJob.Builder job(Row row) {
    TraceJob.Builder job =
        TraceJob.builder(row.text(JOB_ID))
            .gpus((int) row.whole(NUM_GPU, 1, TraceJob.MOST_GPUS))
            .duration(row.seconds(DURATION))
            .line(row.line());
    row.optionalWhole(ITERATIONS, 1, TraceJob.MOST_ITERATIONS).ifPresent(job::iterations);
    row.optionalText(MODEL_NAME).ifPresent(job::model);
    return job;
  }
}
