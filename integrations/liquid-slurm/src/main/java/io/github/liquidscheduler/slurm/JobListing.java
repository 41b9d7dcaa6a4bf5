package io.github.liquidscheduler.slurm;

import io.github.liquidscheduler.slurm.JobLine.Column;
import io.github.liquidscheduler.slurm.process.CommandRunner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of Slurm. Each listing is in text, which is cheap; the details are in JSON, and read
 * again when a job is new, was changed, or the last reading is old.
 */
final class JobListing {

  /** How long details are believed, in nanoseconds. */
  private static final long BELIEVED = 300_000_000_000L;

  private static final List<String> LINES =
      List.of("squeue", "-h", "-r", "-a", "-t", "all", "-O", JobLine.FORMAT);

  private static final List<String> DETAILS = List.of("squeue", "-a", "-t", "all", "--json");

  private final CommandRunner runner;
  private final LongSupplier stopwatch;
  private Map<String, Known> known = new HashMap<>();
  private Optional<Long> readAt = Optional.empty();

  JobListing(CommandRunner runner, LongSupplier stopwatch) {
    this.runner = runner;
    this.stopwatch = stopwatch;
  }

  /**
   * Returns all jobs that Slurm shows, each task of an array by itself.
   *
   * @param written comments that were written since, which are taken out
   */
  List<ListedJob> jobs(Map<String, String> written) throws IOException {
    List.copyOf(written.keySet()).forEach(id -> commented(id, written.remove(id)));
    List<JobLine> lines = lines(runner);
    boolean isOld = readAt.isEmpty() || stopwatch.getAsLong() - readAt.get() > BELIEVED;
    if (isOld || lines.stream().anyMatch(line -> known(line).isEmpty())) {
      readDetails(lines);
    }
    List<ListedJob> jobs = new ArrayList<>();
    Map<String, Known> shown = new HashMap<>();
    for (JobLine line : lines) {
      Known detail =
          known(line)
              .orElseThrow(
                  () -> new IOException("job " + line.id() + " changed between two listings"));
      shown.put(line.id(), detail);
      shown.put(line.text(Column.JOB), known.getOrDefault(line.text(Column.JOB), detail));
      jobs.add(new ListedJob(line, detail.record));
    }
    known = shown;
    return jobs;
  }

  /** Returns what is cheap to tell of each job. */
  static List<JobLine> lines(CommandRunner runner) throws IOException {
    return JobLine.read(runner.run(LINES).done("squeue"));
  }

  /** Takes note of a comment that was written. */
  private void commented(String id, @Nullable String adminComment) {
    @Nullable Known before = known.get(id);
    if (before != null && adminComment != null) {
      Map<String, List<String>> fields = new HashMap<>(before.record.fields());
      fields.put("admin_comment", adminComment.isEmpty() ? List.of() : List.of(adminComment));
      known.put(id, new Known(before.request, new SlurmRecord(fields)));
    }
  }

  private Optional<Known> known(JobLine line) {
    @Nullable Known detail = known.get(line.id());
    if (detail == null) {
      detail = known.get(line.text(Column.JOB));
    }
    if (detail == null && line.isTask()) {
      detail = known.get(line.text(Column.ARRAY));
    }
    boolean wasStartedPastUs =
        detail != null
            && detail.record.words("nodes").isEmpty()
            && !line.text(Column.NODES).isEmpty()
            && AdminComment.of(detail.record.text("admin_comment")).required().isEmpty();
    return detail == null || wasStartedPastUs || !detail.request.equals(line.request())
        ? Optional.empty()
        : Optional.of(detail);
  }

  private void readDetails(List<JobLine> lines) throws IOException {
    Map<String, JobLine> byJob = new HashMap<>();
    for (JobLine line : lines) {
      byJob.put(line.text(Column.JOB), line);
    }
    long now = stopwatch.getAsLong();
    Map<String, Known> read = new HashMap<>();
    for (SlurmRecord record :
        SlurmJson.read(
            "squeue --json", runner.run(DETAILS).done("squeue --json"), "jobs", ListedJob.FIELDS)) {
      @Nullable JobLine line = byJob.get(record.text("job_id"));
      if (line != null) {
        read.put(record.text("job_id"), new Known(line.request(), record));
      }
    }
    known = read;
    readAt = Optional.of(now);
  }

  /**
   * The details of a job.
   *
   * @param request what the text told of the job's request when they were read
   */
  private record Known(List<String> request, SlurmRecord record) {}
}
