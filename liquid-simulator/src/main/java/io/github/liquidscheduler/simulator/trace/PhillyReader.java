package io.github.liquidscheduler.simulator.trace;

import io.github.liquidscheduler.simulator.input.BoundedLines;
import io.github.liquidscheduler.simulator.input.Row;
import io.github.liquidscheduler.simulator.input.Rows;
import java.io.InputStream;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.commons.csv.CSVFormat;

/**
 * Reads the job table made of Microsoft's Philly traces (ATC 2019) for Pollux: CSV with the header
 * {@code timestamp,duration,num_gpus,gpu_time,cluster}. Time stamps are wall clock times without a
 * zone; submission is counted from the earliest. {@code gpu_time} repeats duration times GPUs and
 * is not read. Jobs are called by their position in the file, from 0.
 */
final class PhillyReader implements TraceReader {

  private static final String TIMESTAMP = "timestamp";
  private static final String DURATION = "duration";
  private static final String NUM_GPUS = "num_gpus";
  private static final String CLUSTER = "cluster";
  private static final List<String> REQUIRED = List.of(TIMESTAMP, DURATION, NUM_GPUS, CLUSTER);

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT)
          .withResolverStyle(ResolverStyle.STRICT);

  @Override
  public Trace read(String source, InputStream bytes) {
    Rows rows = Rows.withHeader(new BoundedLines(source, bytes), CSVFormat.DEFAULT, REQUIRED);
    List<Submitted> jobs = new ArrayList<>();
    for (Row row = rows.next(); row != null; row = rows.next()) {
      jobs.add(submitted(jobs, row));
    }
    return Trace.of(source, sinceEarliest(jobs));
  }

  private static Submitted submitted(List<Submitted> earlier, Row row) {
    LocalDateTime time = time(row);
    LocalDateTime first = earlier.isEmpty() ? time : earlier.get(0).time();
    if (Duration.between(first, time).abs().compareTo(TraceJob.LONGEST.dividedBy(2)) > 0) {
      throw row.error(TIMESTAMP, "must be within 50 years of the first");
    }
    return new Submitted(time, job(earlier.size(), row));
  }

  private static TraceJob.Builder job(int position, Row row) {
    TraceJob.Builder job =
        TraceJob.builder(Integer.toString(position))
            .duration(row.seconds(DURATION))
            .gpus((int) row.whole(NUM_GPUS, 1, TraceJob.MOST_GPUS))
            .line(row.line());
    row.optionalText(CLUSTER).ifPresent(job::virtualCluster);
    return job;
  }

  private static LocalDateTime time(Row row) {
    try {
      return LocalDateTime.parse(row.text(TIMESTAMP), TIME);
    } catch (DateTimeParseException e) {
      throw row.error(TIMESTAMP, "must be a time such as 2017-09-04 10:30:41");
    }
  }

  private static List<TraceJob> sinceEarliest(List<Submitted> jobs) {
    LocalDateTime earliest =
        jobs.stream()
            .map(Submitted::time)
            .reduce((a, b) -> a.isBefore(b) ? a : b)
            .orElse(LocalDateTime.MIN);
    return jobs.stream()
        .map(each -> each.job().submit(Duration.between(earliest, each.time())).build())
        .toList();
  }

  /** A job whose submission is still a wall clock time. */
  private record Submitted(LocalDateTime time, TraceJob.Builder job) {}
}
