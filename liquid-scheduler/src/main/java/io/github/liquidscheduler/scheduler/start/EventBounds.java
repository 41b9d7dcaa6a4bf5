package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * The limits of one event; the remaining work is due at once in the next one.
 *
 * @param starts the largest number of starts
 * @param searches the largest number of waiting jobs for which victims are searched
 * @param step how much later than the event before it an event may come
 */
public record EventBounds(int starts, int searches, Duration step) {

  private static final int ANY = Integer.MAX_VALUE;
  private static final Duration ANY_STEP = Duration.ofSeconds(Long.MAX_VALUE);

  /** No limits. */
  public static final EventBounds NONE = new EventBounds(ANY, ANY, ANY_STEP);

  /** Makes bounds. */
  public EventBounds {
    if (starts < 1) {
      throw new IllegalArgumentException(
          "an event must start at least 1 job, but was to start %d at most".formatted(starts));
    }
    if (searches < 1) {
      throw new IllegalArgumentException(
          "an event must search for at least 1 job, but was to search for %d at most"
              .formatted(searches));
    }
    if (!step.isPositive()) {
      throw new IllegalArgumentException(
          "the largest time between two events must be positive, but was " + step);
    }
  }

  /** Rejects an event that comes too long after the one before it: the clock may be broken. */
  public void requireNear(Instant last, ClusterEvent event) {
    Instant before = last;
    for (ClusterEvent each : event.events()) {
      if (!before.equals(Instant.MIN) && each.at().isAfter(GpuTime.end(before, step))) {
        throw new IllegalArgumentException(
            "an event must come at most %s after the one before it, at %s, but %s came at %s. If the clock is right, send TimePassed in between"
                .formatted(step, before, each.getClass().getSimpleName(), each.at()));
      }
      before = each.at();
    }
  }

  /** Returns true if searches are counted. */
  public boolean areSearchesBounded() {
    return searches < ANY;
  }

  /** Returns true if these numbers of starts and searches reach a limit. */
  boolean areReached(int started, int searched) {
    return started >= starts || searched >= searches;
  }

  /** Returns the bounds with another limit of starts. */
  public EventBounds withStarts(int jobs) {
    return new EventBounds(jobs, searches, step);
  }

  /** Returns the bounds with another limit of searches. */
  public EventBounds withSearches(int jobs) {
    return new EventBounds(starts, jobs, step);
  }

  /** Returns the bounds with another limit of the time between two events. */
  public EventBounds withStep(Duration most) {
    return new EventBounds(starts, searches, most);
  }

  /** Returns the limits by name; only those that are set. */
  public Map<String, String> parameters() {
    Map<String, String> parameters = new TreeMap<>();
    if (starts < ANY) {
      parameters.put("startsPerEvent", Integer.toString(starts));
    }
    if (areSearchesBounded()) {
      parameters.put("searchesPerEvent", Integer.toString(searches));
    }
    return parameters;
  }
}
