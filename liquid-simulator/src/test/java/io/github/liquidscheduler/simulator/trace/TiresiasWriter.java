package io.github.liquidscheduler.simulator.trace;

import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.apache.commons.csv.CSVFormat;

/**
 * Writes traces in the format of the Tiresias simulator, which {@link TraceFormat#TIRESIAS} reads.
 * That format has no room for virtual clusters.
 */
public final class TiresiasWriter {

  private static final Object[] HEADER = {
    TraceColumns.JOB_ID,
    TraceColumns.GPUS,
    TraceColumns.SUBMIT,
    TraceColumns.ITERATIONS,
    TraceColumns.MODEL,
    TraceColumns.DURATION,
    "interval"
  };

  private TiresiasWriter() {}

  /**
   * Writes all jobs of {@code trace}, in order.
   *
   * @throws IllegalArgumentException if a job has no duration
   * @throws IOException if {@code out} throws it
   */
  public static void write(Trace trace, Appendable out) throws IOException {
    append(HEADER, out);
    List<TraceJob> jobs = trace.jobs();
    for (int i = 0; i < jobs.size(); i++) {
      TraceJob next = jobs.get(Math.min(i + 1, jobs.size() - 1));
      append(values(jobs.get(i), next), out);
    }
  }

  private static void append(Object[] values, Appendable out) throws IOException {
    out.append(CSVFormat.DEFAULT.format(values)).append('\n');
  }

  private static Object[] values(TraceJob job, TraceJob next) {
    Duration duration =
        job.duration()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "a job must have a duration to be written, but had none, for " + job));
    return new Object[] {
      job.id(),
      job.gpus(),
      seconds(job.submit()),
      job.iterations().isPresent() ? job.iterations().getAsLong() : "",
      job.model().orElse(""),
      seconds(duration),
      seconds(next.submit().minus(job.submit()))
    };
  }

  private static String seconds(Duration time) {
    BigDecimal nanos = BigDecimal.valueOf(time.toNanosPart(), 9);
    return BigDecimal.valueOf(time.toSeconds()).add(nanos).stripTrailingZeros().toPlainString();
  }
}
