package io.github.liquidscheduler.lab.reference;

/**
 * How long a job that has run may wait before it is starved.
 *
 * @param factor how many times the time it has executed; {@link #NONE} for ever
 */
record Starvation(double factor) {

  static final Starvation NONE = new Starvation(Double.POSITIVE_INFINITY);

  /** Returns whether a job that waits has waited too long. One that has not run yet never has. */
  boolean afflicts(CountedJob job) {
    return canAfflict(job) && job.waited() >= (long) (job.service() * factor);
  }

  /** Returns when, after {@code now}, a job that waits will be starved if nothing changes. */
  long wakeUp(CountedJob job, long now) {
    if (!canAfflict(job)) {
      return CountPolicy.NEVER;
    }
    long left = (long) (job.service() * factor - job.waited());
    return left <= 0 || left >= CountPolicy.NEVER - now ? CountPolicy.NEVER : now + left;
  }

  private static boolean canAfflict(CountedJob job) {
    return !job.isRunning() && job.queue() > 0 && job.service() > 0;
  }
}
