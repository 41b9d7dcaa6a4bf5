package io.github.liquidscheduler.estimator.performance;

import com.google.common.collect.EvictingQueue;
import io.github.liquidscheduler.prediction.ThroughputModel;
import io.github.liquidscheduler.prediction.ThroughputModel.Replicas;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The measurements of one kind of jobs on one GPU model, and the model fitted to it. It is fitted
 * again when a new size was measured, when as much was measured again as before, and after the
 * speeds have left it: then only what was measured since counts.
 */
final class SpeedHistory {
  private static final int MOST = 64;
  private static final int RECENT = 5;
  private static final int TELLING_SIZES = 2;

  /** What iterations were measured with. */
  private record Size(Replicas replicas, double localBatch) {}

  private final Map<Size, Queue<Double>> measured = new LinkedHashMap<>();
  private final EvictingQueue<Double> misses = EvictingQueue.create(RECENT);
  private final double limit;
  private int count;
  private int fitAt;
  private boolean hasDrifted;
  private @Nullable ThroughputModel fitted;

  /**
   * Makes a history of nothing.
   *
   * @param drift by which share of the predicted time measured times may leave it
   */
  SpeedHistory(double drift) {
    limit = Math.log1p(drift);
  }

  /**
   * Adds a point.
   *
   * @param predicted the seconds that were predicted for it, if any were
   */
  void add(ThroughputPoint point, OptionalDouble predicted) {
    note(point);
    if (predicted.isPresent()) {
      misses.add(Math.log(point.seconds() / predicted.getAsDouble()));
    }
    if (misses.remainingCapacity() == 0 && Math.abs(median(misses)) > limit) {
      startOver(point);
    }
    if (hasDrifted && measured.size() >= TELLING_SIZES) {
      hasDrifted = false;
    }
  }

  private void note(ThroughputPoint point) {
    Size size = new Size(point.replicas(), point.localBatch());
    boolean isNew = !measured.containsKey(size);
    measured.computeIfAbsent(size, unused -> EvictingQueue.create(MOST)).add(point.seconds());
    count++;
    if (isNew || count >= 2 * fitAt) {
      fitted = null;
    }
  }

  /** Forgets all but the last point, which has left the model as those before it have. */
  private void startOver(ThroughputPoint last) {
    hasDrifted = true;
    measured.clear();
    misses.clear();
    count = 0;
    fitAt = 0;
    note(last);
  }

  /** Returns true if the speeds have left the model, and no two sizes were measured since. */
  boolean hasDrifted() {
    return hasDrifted;
  }

  /** Returns true if enough sizes were measured to tell how the speed depends on them. */
  boolean isTelling() {
    return measured.size() >= TELLING_SIZES;
  }

  /** Returns the model, unless nothing was measured. */
  Optional<ThroughputModel> model() {
    if (fitted == null && !measured.isEmpty()) {
      fitted = ThroughputFit.of(points());
      fitAt = count;
    }
    return Optional.ofNullable(fitted);
  }

  /** Returns one point for each size: the median of what was measured last. */
  List<ThroughputPoint> points() {
    return measured.entrySet().stream()
        .map(
            size ->
                new ThroughputPoint(
                    size.getKey().replicas(), size.getKey().localBatch(), median(size.getValue())))
        .toList();
  }

  private static double median(Queue<Double> values) {
    double[] sorted = values.stream().mapToDouble(value -> value).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
