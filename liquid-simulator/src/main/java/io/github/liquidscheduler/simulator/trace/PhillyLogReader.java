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
 * without logged start or end are left out; a job whose last attempt has no end had not ended.
 */
final class PhillyLogReader implements LineReader {

  private static final String SUBMITTED = "submitted_time";
  private static final String START = "start_time";
  private static final String END = "end_time";
  private static final String NO_TIMES = "had no start or no end";

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
    List<Run> runs =
        attempts.stream()
            .map(each -> new Run(time(each, START, times), time(each, END, times)))
            .toList();
    Optional<String> reason = reason(runs, gpus);
    if (reason.isPresent()) {
      jobs.leaveOut(reason.get(), record.line());
      return;
    }
    runs.stream()
        .filter(run -> run.time().isEmpty())
        .forEach(run -> jobs.leaveOutAttempt(NO_TIMES, record.line()));
    TraceJob.Builder job =
        TraceJob.builder(record.text("jobid"))
            .gpus(gpus)
            .duration(
                runs.stream()
                    .flatMap(run -> run.time().stream())
                    .reduce(Duration.ZERO, Duration::plus))
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

  private static Optional<String> reason(List<Run> runs, int gpus) {
    if (runs.isEmpty()) {
      return Optional.of(LoggedJobs.NEVER_STARTED);
    }
    if (runs.getLast().end.isEmpty()) {
      return Optional.of(LoggedJobs.NOT_ENDED);
    }
    if (gpus == 0) {
      return Optional.of(LoggedJobs.NO_GPU);
    }
    if (runs.stream().allMatch(run -> run.time().isEmpty())) {
      boolean hasStart = runs.stream().anyMatch(run -> run.start.isPresent());
      return Optional.of(hasStart ? LoggedJobs.NOT_ENDED : LoggedJobs.NEVER_STARTED);
    }
    return runs.stream().flatMap(run -> run.time().stream()).anyMatch(Duration::isNegative)
        ? Optional.of(LoggedJobs.ENDED_EARLY)
        : Optional.empty();
  }

  private static int gpus(JsonRecord attempt) {
    return attempt.objects("detail").stream().mapToInt(node -> node.count("gpus")).sum();
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

  /** The logged times of an attempt. */
  private record Run(Optional<Instant> start, Optional<Instant> end) {

    /** Returns for how long it ran; negative if it ended before it started. */
    Optional<Duration> time() {
      return start.flatMap(from -> end.map(until -> Duration.between(from, until)));
    }
  }
}
