package io.github.liquidscheduler.lab.reference.pollux.application;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How an application converges: measured training runs by batch size. Between two measured batch
 * sizes figures are linear.
 */
final class Convergence {

  private final NavigableMap<Integer, ValidationRun> runs;

  Convergence(Map<Integer, ValidationRun> runs) {
    this.runs = new TreeMap<>(runs);
  }

  int smallestBatch() {
    return runs.firstKey();
  }

  int largestBatch() {
    return runs.lastKey();
  }

  /** Returns the progress that ends an epoch, counted from 1: the least of all runs. */
  double progress(int epoch) {
    return runs.values().stream()
        .mapToDouble(run -> run.ends().get(epoch - 1).progress())
        .min()
        .orElseThrow();
  }

  /** Returns the steps of a batch size until the end of an epoch, counted from 0. */
  double iterations(int batch, int epoch) {
    double lower = below(batch).getValue().ends().get(epoch).iterations();
    return between(batch, lower, above(batch).getValue().ends().get(epoch).iterations());
  }

  GradientNoise noise(int batch, int epoch) {
    GradientNoise lower = below(batch).getValue().ends().get(epoch).noise();
    GradientNoise upper = above(batch).getValue().ends().get(epoch).noise();
    return new GradientNoise(
        between(batch, lower.squared(), upper.squared()),
        between(batch, lower.variance(), upper.variance()));
  }

  private double between(int batch, double lower, double upper) {
    int low = below(batch).getKey();
    int high = above(batch).getKey();
    return low == high ? lower : ((batch - low) * upper + (high - batch) * lower) / (high - low);
  }

  private Map.Entry<Integer, ValidationRun> below(int batch) {
    return measured(batch, runs.floorEntry(batch));
  }

  private Map.Entry<Integer, ValidationRun> above(int batch) {
    return measured(batch, runs.ceilingEntry(batch));
  }

  private Map.Entry<Integer, ValidationRun> measured(
      int batch, Map.@Nullable Entry<Integer, ValidationRun> entry) {
    if (entry == null) {
      throw new IllegalArgumentException(
          "a batch size must be from %d to %d, but was %d"
              .formatted(smallestBatch(), largestBatch(), batch));
    }
    return entry;
  }
}
