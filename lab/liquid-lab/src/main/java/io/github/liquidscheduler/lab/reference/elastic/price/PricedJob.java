package io.github.liquidscheduler.lab.reference.elastic.price;

import io.github.liquidscheduler.lab.reference.elastic.ElasticJobState;
import io.github.liquidscheduler.lab.reference.elastic.sizing.SizeBounds;
import io.github.liquidscheduler.simulator.elastic.ElasticJob;
import io.github.liquidscheduler.simulator.elastic.ThroughputCurve;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A job that pays 1 for each second until it ends, and a price for each GPU-second. A unit of its
 * work (a second on one GPU) then costs {@code (1 + price x p) / S(p)} on p GPUs. Where a curve is
 * straight that is monotone in p, so that only measured sizes and the bounds are compared.
 */
final class PricedJob {

  private final ThroughputCurve curve;
  private final SizeBounds bounds;
  private final int[] sizes;

  private PricedJob(ThroughputCurve curve, SizeBounds bounds, int[] sizes) {
    this.curve = curve;
    this.bounds = bounds;
    this.sizes = sizes;
  }

  static PricedJob of(ElasticJobState state) {
    ElasticJob.Sizes named = state.job().sizes();
    ThroughputCurve curve = state.curve();
    int least = named.minimum();
    int most = Math.max(least, Math.min(named.maximum(), curve.peak()));
    IntStream between = Arrays.stream(curve.measured()).filter(size -> size > least && size < most);
    int[] sizes =
        IntStream.concat(IntStream.of(least, most), between).distinct().sorted().toArray();
    return new PricedJob(curve, SizeBounds.of(least, most), sizes);
  }

  /** Returns the throughput of the job. */
  ThroughputCurve curve() {
    return curve;
  }

  /** Returns the sizes it may have. */
  SizeBounds bounds() {
    return bounds;
  }

  /** Returns the size on which a unit of work costs least; of equal ones the smallest. */
  int size(double price) {
    int best = sizes[0];
    for (int size : sizes) {
      best = cost(size, price) < cost(best, price) ? size : best;
    }
    return best;
  }

  /** Returns the least that a unit of work costs. */
  double cost(double price) {
    return cost(size(price), price);
  }

  private double cost(int size, double price) {
    return (1 + price * size) / curve.speedup(size);
  }
}
