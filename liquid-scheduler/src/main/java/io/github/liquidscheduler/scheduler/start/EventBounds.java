package io.github.liquidscheduler.scheduler.start;

import java.util.Map;
import java.util.TreeMap;

/**
 * The limits of one event; the remaining work is due at once in the next one.
 *
 * @param starts the largest number of starts
 * @param searches the largest number of waiting jobs for which victims are searched
 */
public record EventBounds(int starts, int searches) {

  private static final int ANY = Integer.MAX_VALUE;

  /** No limits. */
  public static final EventBounds NONE = new EventBounds(ANY, ANY);

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
    return new EventBounds(jobs, searches);
  }

  /** Returns the bounds with another limit of searches. */
  public EventBounds withSearches(int jobs) {
    return new EventBounds(starts, jobs);
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
