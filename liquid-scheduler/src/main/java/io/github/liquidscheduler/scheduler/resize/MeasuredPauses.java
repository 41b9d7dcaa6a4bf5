package io.github.liquidscheduler.scheduler.resize;

import io.github.liquidscheduler.scheduling.SnapshotSection;

/**
 * Measured against expected pauses of size changes, with older ones decayed.
 *
 * @param measured the decayed sum of measured pauses, in seconds
 * @param expected the decayed sum of expected pauses, in seconds
 */
public record MeasuredPauses(double measured, double expected) {

  /** No measurement. */
  public static final MeasuredPauses NONE = new MeasuredPauses(0, 0);

  /** The decay of earlier pauses with each new one. */
  private static final double DECAY = 0.9;

  /**
   * Validates the sums.
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

  /** Returns the sums with one more pause, in seconds; unchanged if it was expected to be 0. */
  public MeasuredPauses with(double measuredOne, double expectedOne) {
    return expectedOne > 0
        ? new MeasuredPauses(DECAY * measured + measuredOne, DECAY * expected + expectedOne)
        : this;
  }

  /** Returns the ratio of measured to expected pauses; 1 without measurements. */
  public double ratio() {
    return expected > 0 ? measured / expected : 1;
  }

  /** Saves the sums, if any. */
  public void save(SnapshotSection.Builder section) {
    if (expected > 0) {
      section.put("pausesMeasured", (Object) measured).put("pausesExpected", (Object) expected);
    }
  }

  /** Returns the saved sums. */
  public static MeasuredPauses load(SnapshotSection.Reader in) {
    return new MeasuredPauses(
        in.optional("pausesMeasured", Double.class).orElse(0.0),
        in.optional("pausesExpected", Double.class).orElse(0.0));
  }
}
