package io.github.liquidscheduler.simulator.trace;

import io.github.liquidscheduler.formats.input.BoundedLines;
import io.github.liquidscheduler.formats.input.Row;
import io.github.liquidscheduler.formats.input.Rows;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.resource.Memory;
import java.io.InputStream;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * Reads the Standard Workload Format, version 2.2, of the Parallel Workloads Archive: 18 numbers a
 * line, of which -1 stands for none, and comments after a semicolon. A processor is a GPU: a job
 * has a task of one GPU for each that it requested or, if that is not told, got. Lines about parts
 * of a job, which the format has beside the line of the whole job, are passed over.
 */
final class SwfReader implements LineReader {

  private static final String ID = "job";
  private static final String SUBMIT = "submit";
  private static final String WAIT = "wait";
  private static final String RUN = "run";
  private static final String GOT = "processors";
  private static final String REQUESTED = "requested processors";
  private static final String MEMORY = "requested memory";
  private static final String STATUS = "status";
  private static final String USER = "user";
  private static final String QUEUE = "queue";
  private static final List<String> COLUMNS =
      List.of(
          ID,
          SUBMIT,
          WAIT,
          RUN,
          GOT,
          "processor time",
          "memory",
          REQUESTED,
          "requested time",
          MEMORY,
          STATUS,
          USER,
          "group",
          "program",
          QUEUE,
          "partition",
          "preceding job",
          "think time");

  /** A part that goes on, a last part that completed, and one that failed. */
  private static final List<String> PARTS = List.of("2", "3", "4");

  private static final BigDecimal NONE = BigDecimal.ONE.negate();
  private static final BigDecimal MOST = BigDecimal.valueOf(1L << 50);
  private static final long KILOBYTE = 1024;

  @Override
  public Lines begin(String source, InputStream bytes) {
    return Lines.of(
        Rows.ofWords(new BoundedLines(source, bytes).withoutComments(";"), COLUMNS),
        (jobs, row) -> {
          if (!PARTS.contains(row.text(STATUS))) {
            add(jobs, row);
          }
        });
  }

  private static void add(LoggedJobs jobs, Row row) {
    long gpus = row.whole(REQUESTED, -1, TraceJob.MOST_GPUS);
    if (gpus < 1) {
      gpus = row.whole(GOT, -1, TraceJob.MOST_GPUS);
    }
    Optional<String> reason = gpus < 1 ? Optional.of(LoggedJobs.NO_GPU) : reason(row);
    if (reason.isPresent()) {
      jobs.leaveOut(reason.get(), row.line());
      return;
    }
    TraceJob.Builder job =
        TraceJob.builder(row.text(ID))
            .gpus((int) gpus)
            .duration(row.seconds(RUN))
            .label(TraceColumns.STATUS, row.text(STATUS))
            .line(row.line());
    long kilobytes = row.decimal(MEMORY, NONE, MOST).longValue();
    if (kilobytes > 0) {
      Memory memory = Memory.ofBytes(Math.multiplyExact(kilobytes, KILOBYTE));
      ResourceRequest each = ResourceRequest.builder().gpus(1).memory(memory).build();
      job.request(TraceRequest.of((int) gpus, each));
    }
    told(row, USER).ifPresent(user -> job.label(TraceColumns.USER, user));
    told(row, QUEUE).ifPresent(job::virtualCluster);
    jobs.addFromStart(row.seconds(SUBMIT), job);
  }

  private static Optional<String> reason(Row row) {
    if (told(row, RUN).isPresent()) {
      return Optional.empty();
    }
    return Optional.of(
        told(row, WAIT).isPresent() ? LoggedJobs.NOT_ENDED : LoggedJobs.NEVER_STARTED);
  }

  private static Optional<String> told(Row row, String column) {
    return row.optionalText(column).filter(text -> !text.startsWith("-"));
  }
}
