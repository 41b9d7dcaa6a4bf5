package io.github.liquidscheduler.scheduler.quota;

/**
 * Sums of charges, by resource, that may pass the largest long: they are kept exactly, in 128 bits,
 * and read as {@link Long#MAX_VALUE} then. Mutable.
 */
final class SaturatedSums {

  private final long[] low;
  private final long[] high;

  /** Makes sums of a number of resources, of nothing yet. */
  SaturatedSums(int resources) {
    low = new long[resources];
    high = new long[resources];
  }

  /** Adds {@code times} times a charge. */
  void add(Charge charge, int times) {
    for (int resource = 0; resource < low.length; resource++) {
      long amount = charge.of(resource);
      long added = amount * times;
      low[resource] += added;
      boolean carries = Long.compareUnsigned(low[resource], added) < 0;
      high[resource] += Math.multiplyHigh(amount, times) + (carries ? 1 : 0);
    }
  }

  /** Returns a sum. */
  long of(int resource) {
    return high[resource] == 0 && low[resource] >= 0 ? low[resource] : Long.MAX_VALUE;
  }
}
