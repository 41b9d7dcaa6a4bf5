package io.github.liquidscheduler.scheduler.data;

import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.Arrays;

/**
 * Counts copies that were overdue to be read: read after all, or lost. Starts with a prior of one
 * half. Mutable.
 */
final class LateReads {
  private static final double BELIEVED = 2;

  /** By probability class of the prediction for which the copy was brought. */
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

  /** Returns the probability that an overdue copy is never read. */
  double probabilityOfLoss() {
    double allLost = Arrays.stream(lost).sum();
    return (allLost + BELIEVED / 2) / (allLost + Arrays.stream(read).sum() + BELIEVED);
  }

  /**
   * Returns a pessimistic probability that an overdue copy of a prediction's class is never read:
   * unread copies count as lost, and the prior is that all are.
   *
   * @param lying the number of such copies that are overdue and unread
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
