package io.github.liquidscheduler.simulator.trace;

import io.github.liquidscheduler.formats.InputFormatException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The jobs submitted to a cluster, in order of submission, iterable any number of times. At least
 * one job, with distinct ids. A {@link Trace} holds them all; an ordered file can be {@linkplain
 * TraceReader#open opened} instead and is then read job by job each time. Immutable, and
 * thread-safe while no file changes.
 */
public interface TraceSource {

  /** Returns the source of the jobs, such as a file name. */
  String source();

  /**
   * Returns the time from which submissions count: a date if the trace tells dates, else {@link
   * Instant#EPOCH}.
   */
  default Instant start() {
    return Instant.EPOCH;
  }

  /** Returns the number of jobs, at least one. */
  int size();

  /** Returns the warnings about jobs left out; empty if none was. */
  List<TraceWarning> warnings();

  /** Returns true if it is known, without going through them, that all jobs have a duration. */
  default boolean tellsDurations() {
    return false;
  }

  /**
   * Begins to go through the jobs.
   *
   * @throws InputFormatException if they are in a file that cannot be read any more
   */
  JobStream stream();

  /**
   * Returns the source with its arrivals compressed: all times of submission divided by {@code
   * factor}, so that the same work comes in a shorter time, or in a longer one below 1.
   *
   * @throws IllegalArgumentException if {@code factor} is not from 0.001 to 1000, or the last
   *     submission would be later than {@link TraceJob#LONGEST}
   */
  TraceSource withLoad(double factor);

  /** Returns all jobs as a trace, for what needs them all at once; O(jobs) of memory. */
  default Trace held() {
    List<TraceJob> jobs = new ArrayList<>(size());
    forEach(jobs::add);
    return Trace.of(source(), jobs, warnings()).startingAt(start());
  }

  /** Shows each job once. */
  default void forEach(Consumer<? super TraceJob> visitor) {
    try (JobStream jobs = stream()) {
      for (@Nullable TraceJob job = jobs.next(); job != null; job = jobs.next()) {
        visitor.accept(job);
      }
    }
  }

  /** The jobs one after the other. Not thread-safe. */
  interface JobStream extends AutoCloseable {

    /**
     * Returns the next job, or null after the last.
     *
     * @throws InputFormatException if it is read from a file that is not what it was before
     */
    @Nullable TraceJob next();

    /** Closes what the jobs are read from. */
    @Override
    void close();
  }
}
