package io.github.liquidscheduler.scheduler.data;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Instant;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pending predictions about copies and how reliable past ones were. Mutable; changed by {@link
 * DataBooks} only.
 */
public final class Predictions {

  private final Map<CopyKey, Pending> pending = new LinkedHashMap<>();
  private ReliabilityTable calibration = new ReliabilityTable();
  private LateReads late = new LateReads();

  /**
   * A prediction about a copy.
   *
   * @param probability the predicted probability that a job that reads it starts
   * @param until the time after which the prediction has failed
   */
  record Pending(double probability, Instant until) {}

  Predictions copy() {
    Predictions copy = new Predictions();
    copy.pending.putAll(pending);
    copy.calibration = calibration.copy();
    copy.late = late.copy();
    return copy;
  }

  /** Returns the pending predictions; live. */
  Map<CopyKey, Pending> pending() {
    return pending;
  }

  void add(CopyKey copy, double probability, Instant until) {
    pending.putIfAbsent(copy, new Pending(probability, until));
  }

  void forget(NodeId node) {
    pending.keySet().removeIf(copy -> copy.node().equals(node));
  }

  /** Counts the pending prediction about a copy that a job reads now. */
  void judge(CopyKey copy, Instant now) {
    @Nullable Pending prediction = pending.remove(copy);
    if (prediction != null) {
      calibration.observe(prediction.probability(), !now.isAfter(prediction.until()));
    }
  }

  /** Counts the pending predictions that have failed by now. */
  void judge(Instant now) {
    for (Iterator<Pending> all = pending.values().iterator(); all.hasNext(); ) {
      Pending prediction = all.next();
      if (now.isAfter(prediction.until())) {
        calibration.observe(prediction.probability(), false);
        all.remove();
      }
    }
  }

  /** Counts a copy that a job reads, if it was overdue. */
  void read(PrefetchedCopy copy, Instant now) {
    if (copy.isLate(now)) {
      late.observe(copy.probability(), true);
    }
  }

  /** Counts a copy that is gone unread. */
  void lost(PrefetchedCopy copy) {
    late.observe(copy.probability(), false);
  }

  /** Returns the calibrated probability of a prediction. */
  public double probability(double predicted) {
    return calibration.probability(predicted);
  }

  /**
   * Returns the probability that a copy is wasted: read neither in time nor later, where copies of
   * its class that lie unread past their time count as lost.
   *
   * @param predicted the predicted probability that a job reads it
   * @param unread the copies that are present but unread
   */
  public double probabilityOfWaste(
      double predicted, Collection<PrefetchedCopy> unread, Instant now) {
    int at = ReliabilityTable.classOf(predicted);
    long lying =
        unread.stream()
            .filter(each -> each.isLate(now))
            .filter(each -> ReliabilityTable.classOf(each.probability()) == at)
            .count();
    return (1 - probability(predicted)) * late.probabilityOfLoss(predicted, lying);
  }

  /**
   * Returns true if cancelling a transfer wastes less, in expectation, than completing it: the
   * moved fraction is lost for sure, the whole copy only if no job reads it.
   *
   * @param probability the probability that a job that reads it starts
   * @param moved the fraction that has been moved
   */
  public boolean mayCancel(double probability, double moved) {
    return (1 - probability) * late.probabilityOfLoss() > moved;
  }

  void save(SnapshotSection.Builder section) {
    calibration.save(section);
    late.save(section);
  }

  void load(SnapshotSection.Reader in) {
    calibration.load(in);
    late.load(in);
  }
}
