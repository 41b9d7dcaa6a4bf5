package io.github.liquidscheduler.simulator.trace;

import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.formats.input.Quoted;
import io.github.liquidscheduler.text.Count;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The jobs submitted to a cluster, in the order of their submission; jobs submitted at the same
 * instant keep the order they were given in. At least one job, and no two with the same id.
 * Immutable.
 */
public final class Trace implements TraceSource {

  private static final double LEAST_LOAD = 0.001;
  private static final double MOST_LOAD = 1000;

  private final String source;
  private final Instant start;
  private final List<TraceJob> jobs;

  private final List<TraceWarning> warnings;

  private Trace(String source, Instant start, List<TraceJob> jobs, List<TraceWarning> warnings) {
    this.source = source;
    this.start = start;
    this.jobs = jobs;
    this.warnings = warnings;
  }

  /**
   * Returns the trace of {@code jobs}, put in the order of their submission.
   *
   * @param source where the jobs come from, such as a file name; messages start with it
   * @throws InputFormatException if there is no job or two have the same id
   */
  public static Trace of(String source, Collection<TraceJob> jobs) {
    return of(source, jobs, List.of());
  }

  /** Returns the trace of {@code jobs}, with what its file had beside them. */
  static Trace of(String source, Collection<TraceJob> jobs, List<TraceWarning> warnings) {
    Objects.requireNonNull(source, "source");
    if (jobs.isEmpty()) {
      throw new InputFormatException(source + ": a trace must have at least one job, but had none");
    }
    requireDistinctIds(source, jobs);
    return new Trace(
        source,
        Instant.EPOCH,
        jobs.stream().sorted(Comparator.comparing(TraceJob::submit)).toList(),
        warnings);
  }

  /** Returns the trace with another time from which submissions count. */
  Trace startingAt(Instant time) {
    return new Trace(source, time, jobs, warnings);
  }

  @Override
  public Instant start() {
    return start;
  }

  /**
   * Returns the trace with the jobs that pass {@code condition} only.
   *
   * @throws InputFormatException if none does
   */
  public Trace filtered(Predicate<TraceJob> condition) {
    return of(source, jobs.stream().filter(condition).toList(), warnings).startingAt(start);
  }

  /** Returns the trace with each job changed, but for its id and its submission. */
  public Trace withJobs(UnaryOperator<TraceJob> change) {
    return of(source, jobs.stream().map(change).toList(), warnings).startingAt(start);
  }

  @Override
  public Trace withLoad(double factor) {
    requireLoad(factor);
    return new Trace(
        source, start, jobs.stream().map(job -> compressed(job, factor)).toList(), warnings);
  }

  /** Checks the factor by which arrivals are compressed. */
  static void requireLoad(double factor) {
    if (!(factor >= LEAST_LOAD && factor <= MOST_LOAD)) {
      throw new IllegalArgumentException(
          "the load must be a factor from %s to %s, but was %s"
              .formatted(LEAST_LOAD, MOST_LOAD, factor));
    }
  }

  /** Returns a job as it comes if arrivals are compressed. */
  static TraceJob compressed(TraceJob job, double factor) {
    return job.toBuilder().submit(divided(job.submit(), factor)).build();
  }

  @Override
  public String source() {
    return source;
  }

  @Override
  public int size() {
    return jobs.size();
  }

  @Override
  public List<TraceWarning> warnings() {
    return warnings;
  }

  @Override
  public JobStream stream() {
    Iterator<TraceJob> left = jobs.iterator();
    return new JobStream() {
      @Override
      public @Nullable TraceJob next() {
        return left.hasNext() ? left.next() : null;
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public Trace held() {
    return this;
  }

  /** Returns the jobs in the order of their submission; at least one. */
  public List<TraceJob> jobs() {
    return jobs;
  }

  @Override
  public String toString() {
    return source + " (" + Count.of(jobs.size(), "job") + ")";
  }

  private static Duration divided(Duration submit, double factor) {
    return Duration.ofNanos(Math.round(submit.toNanos() / factor));
  }

  private static void requireDistinctIds(String source, Collection<TraceJob> jobs) {
    Map<String, TraceJob> seen = new HashMap<>();
    for (TraceJob job : jobs) {
      TraceJob earlier = seen.putIfAbsent(job.id(), job);
      if (earlier != null) {
        throw cameAgain(source, job, earlier);
      }
    }
  }

  /** Returns an exception about a repeated job id. */
  static InputFormatException cameAgain(String source, TraceJob job, TraceJob earlier) {
    return new InputFormatException(
        "%s: a job id must come once, but %s came again%s"
            .formatted(placeOf(source, job), Quoted.of(job.id()), afterLineOf(earlier)));
  }

  private static String placeOf(String source, TraceJob job) {
    return job.line().isPresent() ? source + ":" + job.line().getAsInt() : source;
  }

  private static String afterLineOf(TraceJob earlier) {
    return earlier.line().isPresent() ? " after line " + earlier.line().getAsInt() : "";
  }
}
