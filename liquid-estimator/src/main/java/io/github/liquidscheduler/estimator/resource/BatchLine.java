package io.github.liquidscheduler.estimator.resource;

import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * The device memory of a task by batch size: a line through the means of the batch sizes that were
 * observed, by least squares, as soon as there are two. Weights and their state make it start above
 * zero, and each further sample keeps as much as the one before. A line that falls is levelled.
 */
final class BatchLine {
  private static final int MOST = 64;

  /** Of one batch size: how often, and the sum. */
  private record Seen(int count, double sum) {
    Seen and(double bytes) {
      return new Seen(count + 1, sum + bytes);
    }

    double mean() {
      return sum / count;
    }
  }

  private final NavigableMap<Integer, Seen> byBatch = new TreeMap<>();

  void record(int batch, double bytes) {
    byBatch.merge(batch, new Seen(1, bytes), (seen, single) -> seen.and(bytes));
    if (byBatch.size() > MOST) {
      byBatch.pollFirstEntry();
    }
  }

  /** Returns the bytes at a batch size, if two others were seen. */
  OptionalDouble at(int batch) {
    if (byBatch.size() < 2) {
      return OptionalDouble.empty();
    }
    double meanBatch = byBatch.keySet().stream().mapToDouble(seen -> seen).average().orElse(0);
    double meanBytes = byBatch.values().stream().mapToDouble(Seen::mean).average().orElse(0);
    double together = 0;
    double spread = 0;
    for (Map.Entry<Integer, Seen> seen : byBatch.entrySet()) {
      double distance = seen.getKey() - meanBatch;
      together += distance * (seen.getValue().mean() - meanBytes);
      spread += distance * distance;
    }
    double slope = Math.max(0, together / spread);
    double bytes = meanBytes + slope * (batch - meanBatch);
    return bytes > 0 ? OptionalDouble.of(bytes) : OptionalDouble.empty();
  }

  /** Returns by how much a batch size lies beyond twice the largest seen, or half the smallest. */
  double beyond(int batch) {
    double above = (double) batch / Math.max(1, byBatch.lastKey());
    double below = (double) byBatch.firstKey() / Math.max(1, batch);
    return Math.max(1, Math.max(above, below) / 2);
  }
}
