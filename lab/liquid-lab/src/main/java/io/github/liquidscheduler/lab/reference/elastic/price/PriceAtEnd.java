package io.github.liquidscheduler.lab.reference.elastic.price;

/** Estimates the price of a GPU-second when a job ends. */
interface PriceAtEnd {

  /**
   * The estimate of jobs whose remaining work is known, where the load does not vary. The less time
   * a job still needs, the more the present price counts; in the long run the price goes back to
   * what it mostly is.
   *
   * <p>The logarithm of the price is linear in those of the two prices, of the time, and in their
   * products. Its weights are the means of a fixed weight of 0.25 and of a least-squares fit to the
   * prices that would have been best in hindsight (those of {@link
   * io.github.liquidscheduler.lab.reference.elastic.bound.CompletionBounds}), on 32 traces of
   * Philly's durations at loads 0.9 and 1.1; lab/liquid-lab/docs/research.md tells how they do
   * elsewhere. A job of 18 minutes has all its weight on the two prices as they are.
   */
  PriceAtEnd FITTED = PriceAtEnd::fitted;

  /**
   * Returns the estimate.
   *
   * @param present the price at which all jobs want as many GPUs as there are
   * @param outlasting the price at which the jobs do that need no less time than this one
   * @param seconds the time that it needs at the present price
   */
  double of(double present, double outlasting, double seconds);

  /** Returns the geometric mean of both prices, with this weight of the second. */
  static PriceAtEnd weighted(double weight) {
    return (present, outlasting, seconds) ->
        Math.pow(outlasting, weight) * Math.pow(present, 1 - weight);
  }

  private static double fitted(double present, double outlasting, double seconds) {
    double time = Math.log(seconds + 30) - 7;
    double log =
        -0.759
            - 0.027 * time
            + (0.739 - 0.147 * time) * Math.log(present)
            + 0.108 * time * Math.log(outlasting);
    return Math.exp(Math.clamp(log, Math.log(1e-4), Math.log(1e2)));
  }
}
