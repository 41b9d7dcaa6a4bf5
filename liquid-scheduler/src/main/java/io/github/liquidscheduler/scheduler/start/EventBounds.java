package io.github.liquidscheduler.scheduler.start;

import java.util.Map;
import java.util.TreeMap;

/**
 * How much one event does at most before it leaves the rest to the next one, which is due at once.
 *
 * @param starts how many jobs it starts
 * @param searches how many times it looks, where queues are in a tree, for jobs of other queues
 *     that may leave for a waiting one
 */
public record EventBounds(int starts, int searches) {

  private static final int ANY = Integer.MAX_VALUE;

  /** One event does all there is to do. */
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

  /** Returns the same but for how many jobs an event starts. */
  public EventBounds withStarts(int jobs) {
    return new EventBounds(jobs, searches);
  }

  /** Returns the same but for how many times it searches. */
  public EventBounds withSearches(int jobs) {
    return new EventBounds(starts, jobs);
  }

  /** Returns true if an event may leave something to the next one. */
  public boolean areAny() {
    return !equals(NONE);
  }

  /** Returns the bounds by name, but for those that there are not. */
  public Map<String, String> parameters() {
    Map<String, String> parameters = new TreeMap<>();
    if (starts < ANY) {
      parameters.put("startsPerEvent", Integer.toString(starts));
    }
    if (searches < ANY) {
      parameters.put("searchesPerEvent", Integer.toString(searches));
    }
    return parameters;
  }
}
