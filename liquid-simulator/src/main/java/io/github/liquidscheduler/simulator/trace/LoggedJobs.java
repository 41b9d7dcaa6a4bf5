package io.github.liquidscheduler.simulator.trace;

import io.github.liquidscheduler.simulator.input.InputFormatException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Collects the jobs of a log, and counts those that cannot be simulated. Times of clocks are
 * counted from the earliest submission, and so are seconds above ten years, which count from 1970.
 * Mutable.
 */
final class LoggedJobs {

  static final String NO_GPU = "asked for no GPU";
  static final String NEVER_STARTED = "never started";
  static final String NOT_ENDED = "had not ended";
  static final String ENDED_EARLY = "ended before starting";

  private static final Duration SECONDS_OF_A_CLOCK = Duration.ofDays(3650);

  private final String source;
  private final List<Logged> jobs = new ArrayList<>();
  private final Map<String, TraceWarning> leftOut = new LinkedHashMap<>();
  private boolean isOfClock;
  private @Nullable Instant first;
  private @Nullable Instant earliest;

  LoggedJobs(String source) {
    this.source = source;
  }

  /** Returns how many jobs there are, with those left out. */
  int size() {
    return jobs.size() + leftOut.values().stream().mapToInt(TraceWarning::jobs).sum();
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
    jobs.add(new Logged(submit, job));
    if (earliest == null || submit.isBefore(earliest)) {
      earliest = submit;
    }
  }

  /** Counts a job that is left out. */
  void leaveOut(String reason, int line) {
    TraceWarning first = new TraceWarning(reason, 1, line);
    leftOut.merge(reason, first, (earlier, one) -> earlier.andOne());
  }

  /**
   * Returns the trace.
   *
   * @throws InputFormatException if no job is left, or two have the same id
   */
  Trace trace() {
    List<TraceWarning> warnings = List.copyOf(leftOut.values());
    if (jobs.isEmpty() && !warnings.isEmpty()) {
      throw new InputFormatException(
          source
              + ": a trace must have at least one job, but had none; left out were "
              + warnings.stream().map(TraceWarning::toString).collect(Collectors.joining("; ")));
    }
    Instant start = start();
    List<TraceJob> built =
        jobs.stream()
            .map(each -> each.job().submit(Duration.between(start, each.submit())).build())
            .toList();
    return Trace.of(source, built, warnings);
  }

  private Instant start() {
    return earliest != null
            && (isOfClock || earliest.isAfter(Instant.EPOCH.plus(SECONDS_OF_A_CLOCK)))
        ? earliest
        : Instant.EPOCH;
  }

  private record Logged(Instant submit, TraceJob.Builder job) {}
}
