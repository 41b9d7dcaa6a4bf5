package io.github.liquidscheduler.placement.timeline;

import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The instants of releases: the only ones at which a gang that did not fit can fit. */
public final class ReleaseTimes {

  /** The number of windows that end at each instant. */
  private final NavigableMap<Long, Integer> ends = new TreeMap<>();

  /** Adds the end of a window. */
  public void add(TimeWindow window) {
    ends.merge(window.end(), 1, Integer::sum);
  }

  /** Removes the end of a window that was added. */
  public void remove(TimeWindow window) {
    ends.computeIfPresent(window.end(), (end, count) -> count == 1 ? null : count - 1);
  }

  /** Returns the first release after an instant; {@link TimeWindow#FOREVER} if there is none. */
  public long after(long instant) {
    Long next = ends.higherKey(instant);
    return next == null ? TimeWindow.FOREVER : next;
  }

  /** Returns the releases after an instant, up to another one, in order. */
  List<Long> between(long after, long last) {
    return List.copyOf(ends.subMap(after, false, last, true).keySet());
  }
}
