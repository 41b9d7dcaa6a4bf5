package io.github.liquidscheduler.scheduler.resize;

import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.function.IntToDoubleFunction;

/**
 * Whether the speeds that a job reports have left those that were measured of it. Mutable.
 *
 * <p>A report is off if it differs from the measured curve by more than a factor, and back if it
 * differs by less than half of that. The job has drifted once {@value #REPORTS} reports were off
 * since the last that was back: one slow report says nothing, and reports that hover about the
 * limit neither raise the alarm again and again nor clear it.
 */
public final class SpeedDrift {

  /** So many reports have to be off. */
  static final int REPORTS = 3;

  private SpeedCurve measured;
  private int off;

  /** Makes the drift of a job of which no speed was measured. */
  public SpeedDrift() {
    this(new SpeedCurve(), 0);
  }

  private SpeedDrift(SpeedCurve measured, int off) {
    this.measured = measured;
    this.off = off;
  }

  /** Returns a copy, which changes on its own. */
  public SpeedDrift copy() {
    return new SpeedDrift(measured.copy(), off);
  }

  /** Notes the speeds that were measured, instead of those before. */
  public void measure(SpeedCurve speeds) {
    measured = speeds.copy();
    off = 0;
  }

  /**
   * Notes what a job reports at a size. The first report of all is taken as measured; no other is,
   * since what hovers about a noisy report would seem to have drifted.
   *
   * @param most the factor by which a report may differ, less 1; above 0
   * @param expected the speed at each size as far as is known without having seen any
   */
  public void report(
      int size, double iterationsPerSecond, double most, IntToDoubleFunction expected) {
    if (measured.sizesSeen() == 0) {
      measured.observe(size, iterationsPerSecond);
      return;
    }
    double ratio = iterationsPerSecond / measured.at(size, expected);
    double difference = Math.max(ratio, 1 / ratio) - 1;
    if (difference > most) {
      off = Math.min(off + 1, REPORTS);
    } else if (difference < most / 2) {
      off = 0;
    }
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
