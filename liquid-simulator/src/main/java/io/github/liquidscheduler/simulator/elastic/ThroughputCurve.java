package io.github.liquidscheduler.simulator.elastic;

import com.google.common.collect.ImmutableSortedSet;
import com.google.common.primitives.Ints;
import io.github.liquidscheduler.text.Count;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The throughput of a job by its number of GPUs at a fixed global batch size (strong scaling):
 * measured points, one of them at 1 GPU, and straight segments between them. Immutable.
 */
public final class ThroughputCurve {

  private final ImmutableSortedSet<Integer> measured;

  /** Iterations per second by number of GPUs; the first is unused. */
  private final double[] throughput;

  /** The gain of one more GPU, by number of GPUs, as a fraction of the throughput of one GPU. */
  private final double[] slope;

  private final int peak;

  private ThroughputCurve(SortedMap<Integer, Double> points) {
    measured = ImmutableSortedSet.copyOf(points.keySet());
    throughput = new double[points.lastKey() + 1];
    slope = new double[points.lastKey() + 1];
    points.forEach((gpus, rate) -> throughput[gpus] = rate);
    int[] sizes = measured();
    for (int i = 1; i < sizes.length; i++) {
      fill(sizes[i - 1], sizes[i]);
    }
    peak = Collections.max(measured, Comparator.comparingDouble(this::throughput));
  }

  /**
   * Returns the curve through measured points.
   *
   * @param iterationsPerSecond by number of GPUs
   * @throws IllegalArgumentException if there is no point at 1 GPU, or a number of GPUs or a
   *     throughput is not above 0 and finite
   */
  public static ThroughputCurve of(Map<Integer, Double> iterationsPerSecond) {
    TreeMap<Integer, Double> points = new TreeMap<>(iterationsPerSecond);
    points.forEach(ThroughputCurve::requirePoint);
    if (!points.containsKey(1)) {
      throw new IllegalArgumentException(
          "a throughput curve must have a point at 1 GPU, but had points at " + points.keySet());
    }
    return new ThroughputCurve(points);
  }

  /** Returns the most GPUs that were measured. */
  public int largest() {
    return measured.last();
  }

  /** Returns the fewest measured GPUs with the highest throughput. */
  public int peak() {
    return peak;
  }

  /**
   * Returns the iterations per second on {@code gpus} GPUs.
   *
   * @throws IndexOutOfBoundsException if {@code gpus} is less than 0 or above {@link #largest()}
   */
  public double throughput(int gpus) {
    return throughput[gpus];
  }

  /** Returns the throughput on {@code gpus} GPUs as a multiple of that on one. */
  public double speedup(int gpus) {
    return throughput[gpus] / throughput[1];
  }

  /** Returns the speed-up for each of {@code gpus} GPUs. */
  public double efficiency(int gpus) {
    return speedup(gpus) / gpus;
  }

  /**
   * Returns the gain in speed-up of one GPU more than {@code gpus}: constant within a segment, so
   * that equal jobs tie, and 0 from the last measured point on.
   */
  public double slope(int gpus) {
    return slope[gpus];
  }

  /** Returns the fewest measured GPUs from {@code gpus} on, or else {@link #largest()}. */
  public int measuredFrom(int gpus) {
    return Objects.requireNonNullElse(measured.ceiling(gpus), largest());
  }

  /** Returns the measured numbers of GPUs in ascending order; the caller may change the array. */
  public int[] measured() {
    return Ints.toArray(measured);
  }

  private void fill(int low, int high) {
    double perGpu = (throughput[high] - throughput[low]) / (high - low);
    for (int gpus = low; gpus < high; gpus++) {
      throughput[gpus] = throughput[low] + (gpus - low) * perGpu;
      slope[gpus] = perGpu / throughput[1];
    }
  }

  private static void requirePoint(int gpus, double rate) {
    if (gpus < 1 || !(rate > 0) || Double.isInfinite(rate)) {
      throw new IllegalArgumentException(
          "a point of a throughput curve must be above 0, but was %s iterations/s on %s"
              .formatted(rate, Count.of(gpus, "GPU")));
    }
  }
}
