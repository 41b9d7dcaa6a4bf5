package io.github.liquidscheduler.lab.reference.elastic.price;

/** How many GPUs some jobs want together, at each of many prices. Mutable. */
final class Demand {

  private static final int LEVELS = 80;
  private static final double[] PRICES = prices(1e-3, 1e2);

  private final int[] wanted = new int[LEVELS];

  /** Adds what a job wants. */
  void add(PricedJob job) {
    for (int level = 0; level < LEVELS; level++) {
      wanted[level] += job.size(PRICES[level]);
    }
  }

  /** Returns the least price at which no more than {@code gpus} GPUs are wanted, or the highest. */
  double clearingPrice(int gpus) {
    int level = 0;
    while (level < LEVELS - 1 && wanted[level] > gpus) {
      level++;
    }
    return PRICES[level];
  }

  private static double[] prices(double lowest, double highest) {
    double[] prices = new double[LEVELS];
    for (int level = 0; level < LEVELS; level++) {
      prices[level] = lowest * Math.pow(highest / lowest, level / (LEVELS - 1.0));
    }
    return prices;
  }
}
