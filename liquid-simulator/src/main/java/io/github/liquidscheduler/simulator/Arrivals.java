package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.simulator.trace.TraceSource;
import io.github.liquidscheduler.simulator.trace.TraceSource.JobStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The jobs of a trace on their way into the system: only the next one is held and queued. */
final class Arrivals implements AutoCloseable {

  private final TraceSource trace;
  private final JobStream stream;
  private final EventQueue queue;
  private @Nullable TraceJob next;
  private int position;

  /** Begins with the first job. */
  Arrivals(TraceSource trace, EventQueue queue) {
    this.trace = trace;
    this.queue = queue;
    stream = trace.stream();
    advance();
  }

  /** Returns the job whose arrival was queued, and queues the one after it. */
  TraceJob take() {
    TraceJob job = Objects.requireNonNull(next);
    advance();
    return job;
  }

  /** Notes all jobs that have still to come as left over. */
  void leaveOver(Departures departures) {
    for (@Nullable TraceJob job = next; job != null; job = stream.next()) {
      departures.leaveOver(position++, new JobFate.Unfinished(job, "was not yet submitted"));
    }
  }

  @Override
  public void close() {
    stream.close();
  }

  private void advance() {
    @Nullable TraceJob before = next;
    next = stream.next();
    if (before != null) {
      position++;
    }
    if (next != null) {
      requireOrder(before, next);
      queue.add(next.submit().toNanos(), EventType.ARRIVAL, position);
    }
  }

  private void requireOrder(@Nullable TraceJob before, TraceJob job) {
    if (before != null && job.submit().compareTo(before.submit()) < 0) {
      throw new InputFormatException(
          "%s: jobs must come in the order of their submission, but %s came after %s"
              .formatted(trace.source(), job, before));
    }
  }
}
