package io.github.liquidscheduler.simulator.trace;

import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.formats.input.Row;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.simulator.input.LogTimes;
import io.github.liquidscheduler.simulator.input.TrackedResources;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A job of Slurm by its lines in the accounting: one, or one for each time that it ran, in order.
 */
record SlurmJob(String id, List<Row> lines, LogTimes times) {

  static final String SUBMIT = "Submit";
  static final String START = "Start";
  static final String END = "End";
  static final List<String> RESOURCES = List.of("ReqTRES", "AllocTRES");
  private static final String STATE = "State";
  private static final String ELIGIBLE = "Eligible";

  /** Such as {@code 1-12:00:00}; others stand for no limit, or one that is not known. */
  private static final Pattern TIME_LIMIT =
      Pattern.compile("(?:(\\d{1,6})-)?(\\d{2}):(\\d{2}):(\\d{2})");

  /** States of a line after which the job runs once more. */
  private static final Pattern REQUEUED =
      Pattern.compile(
          "(REQUEUED?|REQUEUE_.*|PREEMPTED|NODE_FAIL|BOOT_FAIL|RESIZING|SPECIAL_EXIT).*");

  /** Returns true if another line may be about the same job. */
  boolean mayHaveBeenRequeued() {
    return lines
        .getLast()
        .optionalText(STATE)
        .filter(s -> !REQUEUED.matcher(s).matches())
        .isEmpty();
  }

  /** Adds the job, or counts it as left out. */
  void addTo(LoggedJobs jobs) {
    requireOneAfterTheOther();
    Row first = lines.getFirst();
    TrackedResources resources = resources(first);
    Optional<String> reason = resources.gpus() == 0 ? Optional.of(noGpu(resources)) : reason();
    if (reason.isPresent()) {
      jobs.leaveOut(reason.get(), first.line());
      return;
    }
    TraceJob.Builder job =
        TraceJob.builder(id).request(request(resources)).duration(runTime()).line(first.line());
    timeLimit(first).ifPresent(job::timeLimit);
    first.optionalText("Partition").ifPresent(job::virtualCluster);
    first.optionalText("User").ifPresent(user -> job.label(TraceColumns.USER, user));
    first.optionalText("Account").ifPresent(account -> job.label("account", account));
    first.optionalText("QOS").ifPresent(qos -> job.label("qos", qos));
    lines.getLast().optionalText(STATE).ifPresent(s -> job.label(TraceColumns.STATUS, s));
    try {
      Instant start = firstStart();
      Instant submitted = submitted(first, start);
      if (!start.isBefore(submitted)) {
        job.waited(Duration.between(submitted, start));
      }
      jobs.add(submitted, true, job);
    } catch (DateTimeException e) {
      throw first.error(SUBMIT, String.valueOf(e.getMessage()));
    }
  }

  /** Returns when it first could start: until then it waited for its user, or for other jobs. */
  private Instant submitted(Row first, Instant start) {
    Instant submitted = times.of(first.text(SUBMIT));
    return time(first, ELIGIBLE)
        .filter(eligible -> eligible.isAfter(submitted) && !eligible.isAfter(start))
        .orElse(submitted);
  }

  private Instant firstStart() {
    return lines.stream().flatMap(line -> time(line, START).stream()).findFirst().orElseThrow();
  }

  private static Optional<Duration> timeLimit(Row row) {
    return row.optionalText("Timelimit")
        .map(TIME_LIMIT::matcher)
        .filter(Matcher::matches)
        .map(
            limit ->
                Duration.ofDays(part(limit, 1))
                    .plusHours(part(limit, 2))
                    .plusMinutes(part(limit, 3))
                    .plusSeconds(part(limit, 4)))
        .filter(limit -> limit.compareTo(TraceJob.LONGEST) <= 0);
  }

  private static long part(Matcher limit, int group) {
    return limit.group(group) == null ? 0 : Long.parseLong(limit.group(group));
  }

  /** Refuses lines that are not those of one job that was requeued. */
  private void requireOneAfterTheOther() {
    for (int i = 1; i < lines.size(); i++) {
      Row before = lines.get(i - 1);
      Row line = lines.get(i);
      Optional<Instant> end = time(before, END);
      Optional<Instant> start = time(line, START);
      boolean isAfter = end.isPresent() && (start.isEmpty() || !start.get().isBefore(end.get()));
      boolean wasRequeued =
          before.optionalText(STATE).filter(s -> !REQUEUED.matcher(s).matches()).isEmpty();
      if (!isAfter || !wasRequeued) {
        throw cameAgain(line, before);
      }
    }
  }

  private InputFormatException cameAgain(Row line, Row before) {
    return line.error(
        "JobID",
        "must come once, or again after a line of a job that was requeued and has ended before, as"
            + " with --duplicates; line "
            + before.line()
            + " is not one (leave one of them out)");
  }

  private Optional<String> reason() {
    Row last = lines.getLast();
    boolean hasStarted = lines.stream().anyMatch(line -> time(line, START).isPresent());
    if (!hasStarted) {
      return Optional.of(LoggedJobs.NEVER_STARTED);
    }
    if (time(last, END).isEmpty()) {
      return Optional.of(LoggedJobs.NOT_ENDED);
    }
    return lines.stream().anyMatch(line -> runTime(line).isNegative())
        ? Optional.of(LoggedJobs.ENDED_EARLY)
        : Optional.empty();
  }

  private static String noGpu(TrackedResources resources) {
    return resources.partOfGpu().map(LoggedJobs::partOfGpu).orElse(LoggedJobs.NO_GPU);
  }

  private Duration runTime() {
    Duration sum = lines.stream().map(this::runTime).reduce(Duration.ZERO, Duration::plus);
    if (sum.compareTo(TraceJob.LONGEST) > 0) {
      throw lines.getLast().error(END, LoggedJobs.TOO_LONG);
    }
    return sum;
  }

  /** Returns how long the job ran by a line; not at all if it was requeued before it started. */
  private Duration runTime(Row line) {
    Optional<Instant> start = time(line, START);
    Optional<Instant> end = time(line, END);
    return start.isPresent() && end.isPresent()
        ? Duration.between(start.get(), end.get())
        : Duration.ZERO;
  }

  private static TrackedResources resources(Row row) {
    for (String column : RESOURCES) {
      Optional<String> text = row.optionalText(column);
      if (text.isPresent()) {
        return TrackedResources.parse(text.get())
            .orElseThrow(
                () ->
                    row.error(column, "must be resources such as cpu=8,gres/gpu=2,mem=64G,node=1"));
      }
    }
    return TrackedResources.NONE;
  }

  private static TraceRequest request(TrackedResources resources) {
    int tasks = resources.evenNodes();
    ResourceRequest.Builder each = ResourceRequest.builder().gpus(resources.gpus() / tasks);
    if (resources.millicores() > 0) {
      each.cpu(CpuCores.ofMillicores(Math.ceilDiv(resources.millicores(), tasks)));
    }
    if (resources.memory() > 0) {
      each.memory(Memory.ofBytes(Math.ceilDiv(resources.memory(), tasks)));
    }
    List<GpuModel> models = resources.gpuModels().stream().map(GpuModel::of).toList();
    return TraceRequest.of(tasks, each.build()).on(models);
  }

  private Optional<Instant> time(Row row, String column) {
    try {
      return row.optionalText(column).flatMap(times::optional);
    } catch (DateTimeException e) {
      throw row.error(column, String.valueOf(e.getMessage()));
    }
  }
}
