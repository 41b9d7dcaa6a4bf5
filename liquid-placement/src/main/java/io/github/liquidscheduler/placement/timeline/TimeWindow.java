package io.github.liquidscheduler.placement.timeline;

/**
 * A time from {@code start}, included, to {@code end}, excluded. Never empty.
 *
 * @param start the first instant, in the unit of the timeline
 * @param end the first instant after it; {@link #FOREVER} if it has no end
 */
public record TimeWindow(long start, long end) {

  /** The end of a window without end. */
  public static final long FOREVER = Long.MAX_VALUE;

  /**
   * Checks the order.
   *
   * @throws IllegalArgumentException if the window is empty
   */
  public TimeWindow {
    if (end <= start) {
      throw new IllegalArgumentException(
          "a window must end after its start, but was from %d to %d".formatted(start, end));
    }
  }

  /**
   * Returns the window of a length from {@code start}; {@link #FOREVER} is the latest end.
   *
   * @throws IllegalArgumentException if {@code length} is less than 1
   */
  public static TimeWindow of(long start, long length) {
    if (length < 1) {
      throw new IllegalArgumentException("a window's length must be at least 1, but was " + length);
    }
    long end = start + length;
    return new TimeWindow(start, start > 0 && end < 0 ? FOREVER : end);
  }

  /** Returns true if both windows have an instant in common. */
  public boolean overlaps(TimeWindow other) {
    return start < other.end && other.start < end;
  }
}
