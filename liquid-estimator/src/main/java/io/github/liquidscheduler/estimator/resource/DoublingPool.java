package io.github.liquidscheduler.estimator.resource;

import java.util.Optional;

/**
 * The observations of pools that double as a task needs more. A pool says of the need that it is at
 * most the pool and more than half of it, so each narrows the factor by which the arithmetic of the
 * need is off; pools that contradict each other widen it to both. What is used besides the pool,
 * such as the process, is the mean of what was seen.
 */
final class DoublingPool {
  /** The bytes used at a batch size: expected, at least and at most. */
  record Used(double expected, double least, double most) {}

  private static final double SMALLEST = 1L << 30;

  private double leastFactor;
  private double mostFactor = Double.POSITIVE_INFINITY;
  private double besides;
  private int seen;

  /**
   * Takes note of what was used.
   *
   * @param bytes what was used, the process included
   * @param need what the arithmetic says the pool must hold
   * @param process what the arithmetic says is used besides
   */
  void record(double bytes, double need, double process) {
    double pool = nearest(Math.max(SMALLEST, bytes - process));
    besides += bytes - pool;
    seen++;
    double least = pool > SMALLEST ? pool / 2 / need : 0;
    double most = pool / need;
    boolean agrees = least < mostFactor && most > leastFactor;
    leastFactor = agrees ? Math.max(leastFactor, least) : Math.min(leastFactor, least);
    mostFactor = agrees ? Math.min(mostFactor, most) : Math.max(mostFactor, most);
  }

  /** Returns the usage of a task whose pool must hold {@code need}, after two were seen. */
  Optional<Used> at(double need) {
    if (seen < 2) {
      return Optional.empty();
    }
    double factor = Math.clamp(1, above(leastFactor), mostFactor);
    double rest = Math.max(0, besides / seen);
    return Optional.of(
        new Used(
            rest + doubled(factor * need),
            rest + doubled(above(leastFactor) * need),
            rest + doubled(mostFactor * need)));
  }

  /** A need of exactly half of the pool would have had half of the pool. */
  private static double above(double factor) {
    return factor * (1 + 1e-9);
  }

  private static double nearest(double bytes) {
    double pool = doubled(bytes);
    return pool > SMALLEST && bytes / (pool / 2) < pool / bytes ? pool / 2 : pool;
  }

  private static double doubled(double need) {
    double pool = SMALLEST;
    while (pool < need && pool < Double.MAX_VALUE / 4) {
      pool *= 2;
    }
    return pool;
  }
}
