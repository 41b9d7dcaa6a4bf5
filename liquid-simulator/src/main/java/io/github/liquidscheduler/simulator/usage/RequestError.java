package io.github.liquidscheduler.simulator.usage;

/**
 * The error of users' requests. A job requests a multiple of its usage. The factor is drawn for
 * each job and resource: {@code overRequest} in the middle, log-uniform between {@code overRequest
 * / spread} and {@code overRequest * spread}; or for some jobs {@code 1 / overRequest} for all
 * resources.
 *
 * @param overRequest the median factor; below 1 users request too little
 * @param spread how far it varies, at least 1
 * @param underRequestFraction the fraction of the jobs that request too little, from 0 to 1
 */
public record RequestError(double overRequest, double spread, double underRequestFraction) {

  /** Requests that equal the usage. */
  public static final RequestError NONE = new RequestError(1, 1, 0);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a number is out of range
   */
  public RequestError {
    if (!(overRequest >= 0.01 && overRequest <= 100)) {
      throw new IllegalArgumentException(
          "the over-request factor must be from 0.01 to 100, but was " + overRequest);
    }
    if (!(spread >= 1 && spread <= 100)) {
      throw new IllegalArgumentException(
          "the request spread must be from 1 to 100, but was " + spread);
    }
    if (!(underRequestFraction >= 0 && underRequestFraction <= 1)) {
      throw new IllegalArgumentException(
          "the under-request fraction must be from 0 to 1, but was " + underRequestFraction);
    }
  }
}
