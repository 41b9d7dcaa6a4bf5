package io.github.liquidscheduler.simulator.trace;

import io.github.liquidscheduler.simulator.input.InputFormatException;
import io.github.liquidscheduler.simulator.input.Quoted;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The jobs submitted to a cluster, in the order of their submission; jobs submitted at the same
 * instant keep the order they were given in. At least one job, and no two with the same id.
 * Immutable.
 */
public final class Trace {

  private final String source;
  private final List<TraceJob> jobs;

  private Trace(String source, List<TraceJob> jobs) {
    this.source = source;
    this.jobs = jobs;
  }

  /**
   * Returns the trace of {@code jobs}, put in the order of their submission.
   *
   * @param source where the jobs come from, such as a file name; messages start with it
   * @throws InputFormatException if there is no job or two have the same id
   */
  public static Trace of(String source, Collection<TraceJob> jobs) {
    Objects.requireNonNull(source, "source");
    if (jobs.isEmpty()) {
      throw new InputFormatException(source + ": a trace must have at least one job, but had none");
    }
    requireDistinctIds(source, jobs);
    return new Trace(source, jobs.stream().sorted(Comparator.comparing(TraceJob::submit)).toList());
  }

  /** Returns where the jobs come from, such as a file name. */
  public String source() {
    return source;
  }

  /** Returns the jobs in the order of their submission; at least one. */
  public List<TraceJob> jobs() {
    return jobs;
  }

  @Override
  public String toString() {
    return source + " (" + jobs.size() + " jobs)";
  }

  private static void requireDistinctIds(String source, Collection<TraceJob> jobs) {
    Map<String, TraceJob> seen = new HashMap<>();
    for (TraceJob job : jobs) {
      TraceJob earlier = seen.putIfAbsent(job.id(), job);
      if (earlier != null) {
        throw new InputFormatException(
            "%s: a job id must come once, but %s came again%s"
                .formatted(placeOf(source, job), Quoted.of(job.id()), afterLineOf(earlier)));
      }
    }
  }

  private static String placeOf(String source, TraceJob job) {
    return job.line().isPresent() ? source + ":" + job.line().getAsInt() : source;
  }

  private static String afterLineOf(TraceJob earlier) {
    return earlier.line().isPresent() ? " after line " + earlier.line().getAsInt() : "";
  }
}
