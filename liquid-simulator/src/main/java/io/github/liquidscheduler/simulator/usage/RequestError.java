package io.github.liquidscheduler.simulator.usage;

/**
 * How wrong users are about what their jobs need. A job asks for a factor times what it uses. The
 * factor is drawn per job and part: {@code overAsk} in the middle, spread log-uniformly between
 * {@code overAsk / spread} and {@code overAsk * spread}; or for some jobs, by mistake, {@code 1 /
 * overAsk} for all parts.
 *
 * @param overAsk the factor in the middle; below 1 users ask for too little
 * @param spread how far it varies, at least 1
 * @param underAsking the part of the jobs that ask for too little by mistake, from 0 to 1
 */
public record RequestError(double overAsk, double spread, double underAsking) {

  /** Users who know exactly what their jobs use. */
  public static final RequestError NONE = new RequestError(1, 1, 0);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a number is out of range
   */
  public RequestError {
    if (!(overAsk >= 0.01 && overAsk <= 100)) {
      throw new IllegalArgumentException(
          "the factor by which users over-ask must be from 0.01 to 100, but was " + overAsk);
    }
    if (!(spread >= 1 && spread <= 100)) {
      throw new IllegalArgumentException(
          "the spread of that factor must be from 1 to 100, but was " + spread);
    }
    if (!(underAsking >= 0 && underAsking <= 1)) {
      throw new IllegalArgumentException(
          "the part of the jobs that under-ask must be from 0 to 1, but was " + underAsking);
    }
  }
}
