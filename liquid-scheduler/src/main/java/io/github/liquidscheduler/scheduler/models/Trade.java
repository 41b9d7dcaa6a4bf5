package io.github.liquidscheduler.scheduler.models;

/**
 * Two running jobs of as many GPUs that trade places: one comes to a model on which it is faster,
 * and the other gives that up.
 *
 * <p>What it saves is told by the two alone, exactly: the sum of their completion times, given that
 * whoever is left goes on where it is faster as soon as the other has ended. Jobs to which all
 * models are alike but for a factor then stand as shortest remaining time first has them, the
 * shortest on the fastest, which is optimal for uniform machines (Gonzalez, 1977); with equal work
 * it goes by comparative advantage.
 *
 * @param riser the job that comes to faster GPUs
 * @param giver the job that gives them up
 */
record Trade(RunningOn riser, RunningOn giver) {

  /** Returns by how many seconds the sum of both completion times is less than without it. */
  double saved() {
    return sum(giver, riser) - sum(riser, giver);
  }

  private double sum(RunningOn onFast, RunningOn onSlow) {
    double one = onFast.time(giver.model());
    double other = onSlow.time(riser.model());
    return one <= other
        ? 2 * one + rest(onSlow, (other - one) * onSlow.speedOn(riser.model()))
        : 2 * other + rest(onFast, (one - other) * onFast.speedOn(giver.model()));
  }

  /** Returns how long a job takes that may have both places for what it has still to do. */
  private double rest(RunningOn job, double left) {
    return left / Math.max(job.speedOn(giver.model()), job.speedOn(riser.model()));
  }

  /** Returns whether both may be where the other is, and the riser is faster there. */
  boolean isPossible() {
    return riser.gpus() == giver.gpus()
        && giver.speed(riser.model()).isPresent()
        && riser
            .speed(giver.model())
            .filter(fast -> fast > riser.speedOn(riser.model()))
            .isPresent();
  }
}
