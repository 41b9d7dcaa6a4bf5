package io.github.liquidscheduler.scheduler.data;

import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.Arrays;

/**
 * How many of the copies that nobody had read when somebody should have were read after all, before
 * they were given up. So long as little was seen, half of them. Mutable.
 */
final class LateReads {
  private static final double BELIEVED = 2;

  /** By the class of the prediction for which a copy was brought. */
  private final double[] read = new double[ReliabilityTable.CLASSES];

  private final double[] lost = new double[ReliabilityTable.CLASSES];

  LateReads copy() {
    LateReads copy = new LateReads();
    System.arraycopy(read, 0, copy.read, 0, read.length);
    System.arraycopy(lost, 0, copy.lost, 0, lost.length);
    return copy;
  }

  void observe(double predicted, boolean wasRead) {
    double[] seen = wasRead ? read : lost;
    seen[ReliabilityTable.classOf(predicted)]++;
  }

  /** Returns how likely it is that nobody ever reads a copy that is late. */
  double probabilityOfLoss() {
    double allLost = Arrays.stream(lost).sum();
    return (allLost + BELIEVED / 2) / (allLost + Arrays.stream(read).sum() + BELIEVED);
  }

  /**
   * Returns how likely it is at worst that nobody ever reads a copy that is late, of those that
   * were brought for predictions that were as sure: what lies unread counts as lost, and so long as
   * little was seen all does.
   *
   * @param predicted how sure the prediction was
   * @param lying how many such copies are late and lie unread
   */
  double probabilityOfLoss(double predicted, long lying) {
    int at = ReliabilityTable.classOf(predicted);
    double unread = lost[at] + lying + BELIEVED;
    return unread / (unread + read[at]);
  }

  void save(SnapshotSection.Builder section) {
    section
        .list("lateRead", ReliabilityTable.list(read), each -> each)
        .list("lateLost", ReliabilityTable.list(lost), each -> each);
  }

  void load(SnapshotSection.Reader in) {
    ReliabilityTable.fill(read, in.list("lateRead", Double.class, each -> each));
    ReliabilityTable.fill(lost, in.list("lateLost", Double.class, each -> each));
    for (int i = 0; i < read.length; i++) {
      if (!(read[i] >= 0 && lost[i] >= 0)) {
        throw new IllegalArgumentException(
            "numbers of late copies must not be negative, but were %s and %s"
                .formatted(Arrays.toString(read), Arrays.toString(lost)));
      }
    }
  }
}
