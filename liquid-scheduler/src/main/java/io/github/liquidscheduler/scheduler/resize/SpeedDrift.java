package io.github.liquidscheduler.scheduler.resize;

import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.function.IntToDoubleFunction;

/**
 * Whether the speeds that a job reports have left those that were measured of it.
 *
 * <p>A report is off if it differs from the measured curve by more than a factor, and back if it
 * differs by less than half of that. The job has drifted once {@value #REPORTS} reports were off
 * since the last that was back: one slow report says nothing, and reports that hover about the
 * limit neither raise the alarm again and again nor clear it.
 */
public final class SpeedDrift {

  /** So many reports have to be off. */
  static final int REPORTS = 3;

  /** Of a job of which no speed was measured. */
  public static final SpeedDrift NONE = new SpeedDrift(SpeedCurve.NONE, 0);

  private final SpeedCurve measured;
  private final int off;

  private SpeedDrift(SpeedCurve measured, int off) {
    this.measured = measured;
    this.off = off;
  }

  /** Returns the drift once these speeds were measured, and nothing reported since. */
  public static SpeedDrift from(SpeedCurve measured) {
    return new SpeedDrift(measured, 0);
  }

  /**
   * Returns the drift once a job has reported a speed at a size. The first report of all is taken
   * as measured; no other is, since what hovers about a noisy report would seem to have drifted.
   *
   * @param most the factor by which a report may differ, less 1; above 0
   * @param expected the speed at each size as far as is known without having seen any
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

  /** Returns whether the speeds have left what was measured. */
  public boolean hasDrifted() {
    return off >= REPORTS;
  }

  /** Returns the speed measured, or expected from that, at a size. */
  public double measured(int size, IntToDoubleFunction expected) {
    return measured.at(size, expected);
  }

  /** Writes it, if anything was measured. */
  public void save(SnapshotSection.Builder section) {
    measured.save("measured", section);
    if (off > 0) {
      section.put("off", off);
    }
  }

  /** Returns what {@link #save} has written. */
  public static SpeedDrift load(SnapshotSection.Reader in) {
    return new SpeedDrift(
        SpeedCurve.load(in.texts("measured", SpeedCurve::point)),
        Math.clamp(in.optional("off", Long.class).orElse(0L), 0, REPORTS));
  }
}
