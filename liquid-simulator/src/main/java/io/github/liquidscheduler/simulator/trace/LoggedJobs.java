package io.github.liquidscheduler.simulator.trace;

import io.github.liquidscheduler.formats.InputFormatException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Takes the jobs of a log as they are read, and counts those that cannot be simulated. Times of
 * clocks are counted from the earliest submission, and so are seconds above ten years, which count
 * from 1970. Mutable.
 */
final class LoggedJobs {

  static final String NO_GPU = "asked for no GPU";
  static final String NEVER_STARTED = "never started";
  static final String NOT_ENDED = "had not ended";
  static final String ENDED_EARLY = "ended before starting";

  /** Returns the reason that a job asked for part of a GPU, such as {@code gres/shard}. */
  static String partOfGpu(String resource) {
    return "asked for " + resource + ", not for whole GPUs or a share of one";
  }

  /** The rule that a job has broken whose end is too far from its start. */
  static final String TOO_LONG = "must be within 100 years of the start";

  private static final Duration SECONDS_OF_A_CLOCK = Duration.ofDays(3650);

  private final String source;
  private final Consumer<Logged> sink;
  private final List<Logged> held;
  private final Map<String, TraceWarning> leftOut = new LinkedHashMap<>();
  private int count;
  private int countLeftOut;
  private boolean isOfClock;
  private boolean isFromStart;
  private boolean inOrder = true;
  private boolean mustBeHeld;
  private @Nullable Instant first;
  private @Nullable Instant earliest;
  private @Nullable Instant latest;

  /** A job, and when it was submitted by the times of its log. */
  record Logged(Instant submit, TraceJob.Builder job) {}

  /** Passes each job on to {@code sink}. */
  LoggedJobs(String source, Consumer<Logged> sink) {
    this(source, sink, List.of());
  }

  private LoggedJobs(String source, Consumer<Logged> sink, List<Logged> held) {
    this.source = source;
    this.sink = sink;
    this.held = held;
  }

  /** Returns one that holds all jobs, for a {@link #trace()} of them. */
  static LoggedJobs held(String source) {
    List<Logged> held = new ArrayList<>();
    return new LoggedJobs(source, held::add, held);
  }

  /** Returns the source of the jobs. */
  String source() {
    return source;
  }

  /** Returns the number of jobs, those left out included. */
  int size() {
    return count + countLeftOut;
  }

  /** Returns the number of jobs, those left out excluded. */
  int jobs() {
    return count;
  }

  /** Returns true if they came in the order of their submission. */
  boolean areInOrder() {
    return inOrder;
  }

  /** Returns true if each job has stood for itself so far. */
  boolean mayBeStreamed() {
    return !mustBeHeld;
  }

  /** Says that a job may be a piece of another, which is known once all are read. */
  void mayHaveMorePieces() {
    mustBeHeld = true;
  }

  /**
   * Adds a job.
   *
   * @param isOfClock whether the time is that of a clock, and not a number
   * @throws DateTimeException if it was submitted more than fifty years from the first; the message
   *     is the rule that it broke
   */
  void add(Instant submit, boolean isOfClock, TraceJob.Builder job) {
    if (first == null) {
      first = submit;
    }
    if (Duration.between(first, submit).abs().compareTo(TraceJob.LONGEST.dividedBy(2)) > 0) {
      throw new DateTimeException("must be within 50 years of the first");
    }
    this.isOfClock |= isOfClock;
    add(submit, job);
  }

  /** Adds a job of a format whose times count from the start of the trace. */
  void addFromStart(Duration submit, TraceJob.Builder job) {
    isFromStart = true;
    add(Instant.EPOCH.plus(submit), job);
  }

  private void add(Instant submit, TraceJob.Builder job) {
    count++;
    inOrder &= latest == null || !submit.isBefore(latest);
    latest = submit;
    if (earliest == null || submit.isBefore(earliest)) {
      earliest = submit;
    }
    sink.accept(new Logged(submit, job));
  }

  /** Counts a job that is left out. */
  void leaveOut(String reason, int line) {
    countLeftOut++;
    leaveOut(new TraceWarning(reason, 1, line));
  }

  /** Counts an attempt to run a job that is left out of the job's duration. */
  void leaveOutAttempt(String reason, int line) {
    leaveOut(new TraceWarning("attempt", reason, 1, line));
  }

  private void leaveOut(TraceWarning one) {
    leftOut.merge(one.what() + one.reason(), one, (earlier, next) -> earlier.andOne());
  }

  /** Returns the warnings about what was left out. */
  List<TraceWarning> warnings() {
    return List.copyOf(leftOut.values());
  }

  /**
   * Returns the trace of the jobs held.
   *
   * @throws InputFormatException if no job is left, or two have the same id
   */
  Trace trace() {
    List<TraceWarning> warnings = warnings();
    if (held.isEmpty() && !warnings.isEmpty()) {
      throw new InputFormatException(
          source
              + ": a trace must have at least one job, but had none; left out were "
              + warnings.stream().map(TraceWarning::toString).collect(Collectors.joining("; ")));
    }
    return Trace.of(source, held.stream().map(this::counted).toList(), warnings)
        .startingAt(start());
  }

  /** Returns a job with its submission counted from the start, once all are known. */
  TraceJob counted(Logged logged) {
    return logged.job().submit(Duration.between(start(), logged.submit())).build();
  }

  /** Returns the time from which submissions count. */
  Instant start() {
    return earliest != null
            && !isFromStart
            && (isOfClock || earliest.isAfter(Instant.EPOCH.plus(SECONDS_OF_A_CLOCK)))
        ? earliest
        : Instant.EPOCH;
  }
}
