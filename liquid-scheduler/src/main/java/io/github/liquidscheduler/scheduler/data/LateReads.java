package io.github.liquidscheduler.scheduler.data;

import io.github.liquidscheduler.scheduling.SnapshotSection;

/**
 * How many of the copies that nobody had read when somebody should have were read after all, before
 * they were given up. So long as little was seen, half of them. Mutable.
 */
final class LateReads {
  private static final double BELIEVED = 2;

  private double read;
  private double lost;

  LateReads copy() {
    LateReads copy = new LateReads();
    copy.read = read;
    copy.lost = lost;
    return copy;
  }

  void observe(boolean wasRead) {
    read += wasRead ? 1 : 0;
    lost += wasRead ? 0 : 1;
  }

  /** Returns how likely it is that nobody ever reads a copy that is late. */
  double probabilityOfLoss() {
    return (lost + BELIEVED / 2) / (lost + read + BELIEVED);
  }

  void save(SnapshotSection.Builder section) {
    section.put("lateRead", read).put("lateLost", lost);
  }

  void load(SnapshotSection.Reader in) {
    read = in.value("lateRead", Double.class);
    lost = in.value("lateLost", Double.class);
    if (!(read >= 0 && lost >= 0)) {
      throw new IllegalArgumentException(
          "numbers of late copies must not be negative, but were %s and %s".formatted(read, lost));
    }
  }
}
