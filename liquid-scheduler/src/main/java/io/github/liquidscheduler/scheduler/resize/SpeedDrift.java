package io.github.liquidscheduler.scheduler.resize;

import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.function.IntToDoubleFunction;

/**
 * Detects that a job's reported speeds have left its measured curve.
 *
 * <p>A report is off if it differs from the curve by more than a factor, and back if by less than
 * half of that. The job has drifted after {@value #REPORTS} reports off since the last one back:
 * single outliers are ignored, and reports near the limit neither repeat nor clear the alarm.
 */
public final class SpeedDrift {

  /** The number of off reports that make a drift. */
  static final int REPORTS = 3;

  /** No measurement. */
  public static final SpeedDrift NONE = new SpeedDrift(SpeedCurve.NONE, 0);

  private final SpeedCurve measured;
  private final int off;

  private SpeedDrift(SpeedCurve measured, int off) {
    this.measured = measured;
    this.off = off;
  }

  /** Returns the state after a measurement. */
  public static SpeedDrift from(SpeedCurve measured) {
    return new SpeedDrift(measured, 0);
  }

  /**
   * Returns the state after a report. The very first report counts as measured; later ones do not,
   * since reports around a noisy one would seem to drift.
   *
   * @param most the tolerated relative difference, above 0
   * @param expected the prior speed by size
   */
  public SpeedDrift after(
      int size, double iterationsPerSecond, double most, IntToDoubleFunction expected) {
    if (measured.sizesSeen() == 0) {
      return from(measured.with(size, iterationsPerSecond));
    }
    double ratio = iterationsPerSecond / measured.at(size, expected);
    double difference = Math.max(ratio, 1 / ratio) - 1;
    if (difference > most) {
      return new SpeedDrift(measured, Math.min(off + 1, REPORTS));
    }
    return difference < most / 2 ? from(measured) : this;
  }

  /** Returns true if the job has drifted. */
  public boolean hasDrifted() {
    return off >= REPORTS;
  }

  /** Returns the measured or interpolated speed at a size. */
  public double measured(int size, IntToDoubleFunction expected) {
    return measured.at(size, expected);
  }

  /** Saves the state, if any. */
  public void save(SnapshotSection.Builder section) {
    measured.save("measured", section);
    if (off > 0) {
      section.put("off", off);
    }
  }

  /** Returns the saved state. */
  public static SpeedDrift load(SnapshotSection.Reader in) {
    return new SpeedDrift(
        SpeedCurve.load(in.texts("measured", SpeedCurve::point)),
        Math.clamp(in.optional("off", Long.class).orElse(0L), 0, REPORTS));
  }
}
