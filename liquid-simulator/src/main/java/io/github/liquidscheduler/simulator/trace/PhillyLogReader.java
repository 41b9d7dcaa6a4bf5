package io.github.liquidscheduler.simulator.trace;

import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.formats.input.JsonRecord;
import io.github.liquidscheduler.formats.input.JsonRecords;
import io.github.liquidscheduler.simulator.input.LogTimes;
import java.io.InputStream;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Reads the job log of Microsoft's Philly traces (ATC 2019), {@code cluster_job_log}: JSON. A job's
 * GPUs are those of its first attempt with any, its duration the sum of its attempts. Attempts
 * without logged start or end do not count; a job whose last attempt has no end had not ended.
 */
final class PhillyLogReader implements LineReader {

  private static final String SUBMITTED = "submitted_time";
  private static final String START = "start_time";
  private static final String END = "end_time";

  @Override
  public Lines begin(String source, InputStream bytes) {
    JsonRecords records = JsonRecords.of(source, bytes, "jobs");
    LogTimes times = new LogTimes();
    return jobs -> {
      JsonRecord record = records.next();
      if (record != null) {
        add(jobs, record, times);
      }
      return record != null;
    };
  }

  private static void add(LoggedJobs jobs, JsonRecord record, LogTimes times) {
    List<JsonRecord> attempts = record.objects("attempts");
    int gpus =
        attempts.stream()
            .mapToInt(PhillyLogReader::gpus)
            .filter(each -> each > 0)
            .findFirst()
            .orElse(0);
    Optional<String> reason = reason(attempts, gpus, times);
    if (reason.isPresent()) {
      jobs.leaveOut(reason.get(), record.line());
      return;
    }
    TraceJob.Builder job =
        TraceJob.builder(record.text("jobid"))
            .gpus(gpus)
            .duration(runTime(attempts, times))
            .line(record.line());
    record.optionalText("vc").ifPresent(job::virtualCluster);
    record.optionalText("user").ifPresent(user -> job.label(TraceColumns.USER, user));
    record.optionalText("status").ifPresent(status -> job.label(TraceColumns.STATUS, status));
    try {
      jobs.add(times.of(record.text(SUBMITTED)), true, job);
    } catch (DateTimeException e) {
      throw refused(record, SUBMITTED, e);
    }
  }

  private static Optional<String> reason(List<JsonRecord> attempts, int gpus, LogTimes times) {
    if (attempts.isEmpty()) {
      return Optional.of(LoggedJobs.NEVER_STARTED);
    }
    if (time(attempts.getLast(), END, times).isEmpty()) {
      return Optional.of(LoggedJobs.NOT_ENDED);
    }
    return gpus == 0 ? Optional.of(LoggedJobs.NO_GPU) : Optional.empty();
  }

  private static int gpus(JsonRecord attempt) {
    return attempt.objects("detail").stream().mapToInt(node -> node.count("gpus")).sum();
  }

  private static Duration runTime(List<JsonRecord> attempts, LogTimes times) {
    return attempts.stream()
        .map(attempt -> runTime(attempt, times))
        .reduce(Duration.ZERO, Duration::plus);
  }

  private static Duration runTime(JsonRecord attempt, LogTimes times) {
    Optional<Instant> start = time(attempt, START, times);
    Optional<Instant> end = time(attempt, END, times);
    return start.isPresent() && end.isPresent() && end.get().isAfter(start.get())
        ? Duration.between(start.get(), end.get())
        : Duration.ZERO;
  }

  private static Optional<Instant> time(JsonRecord record, String name, LogTimes times) {
    try {
      return record.optionalText(name).flatMap(times::optional);
    } catch (DateTimeException e) {
      throw refused(record, name, e);
    }
  }

  private static InputFormatException refused(
      JsonRecord record, String name, DateTimeException cause) {
    return record.error(name, String.valueOf(cause.getMessage()));
  }
}
