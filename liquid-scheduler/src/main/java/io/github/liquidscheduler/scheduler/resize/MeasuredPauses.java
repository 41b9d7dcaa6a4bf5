package io.github.liquidscheduler.scheduler.resize;

import io.github.liquidscheduler.scheduling.SnapshotSection;

/**
 * For how long jobs stood still whose sizes changed, beside how long they were expected to; what is
 * long ago counts less.
 *
 * @param measured the sum of the times that were measured, in seconds
 * @param expected the sum of those that were expected, in seconds
 */
public record MeasuredPauses(double measured, double expected) {

  /** Nobody has measured any. */
  public static final MeasuredPauses NONE = new MeasuredPauses(0, 0);

  /** By how much a pause counts less for each that follows. */
  private static final double DECAY = 0.9;

  /**
   * Checks the sums.
   *
   * @throws IllegalArgumentException if one is negative or not finite
   */
  public MeasuredPauses {
    if (!(measured >= 0 && expected >= 0 && measured + expected < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "pauses must be at least 0 and finite, but were %s s, with %s s expected"
              .formatted(measured, expected));
    }
  }

  /**
   * Returns these and one more, in seconds; nothing is learned of one that was expected to be 0.
   */
  public MeasuredPauses with(double measuredOne, double expectedOne) {
    return expectedOne > 0
        ? new MeasuredPauses(DECAY * measured + measuredOne, DECAY * expected + expectedOne)
        : this;
  }

  /** Returns how many times as long as expected jobs stand still; 1 if nobody has measured it. */
  public double ratio() {
    return expected > 0 ? measured / expected : 1;
  }

  /** Writes the sums, if there are any. */
  public void save(SnapshotSection.Builder section) {
    if (expected > 0) {
      section.put("pausesMeasured", (Object) measured).put("pausesExpected", (Object) expected);
    }
  }

  /** Returns what {@link #save} has written. */
  public static MeasuredPauses load(SnapshotSection.Reader in) {
    return new MeasuredPauses(
        in.optional("pausesMeasured", Double.class).orElse(0.0),
        in.optional("pausesExpected", Double.class).orElse(0.0));
  }
}
