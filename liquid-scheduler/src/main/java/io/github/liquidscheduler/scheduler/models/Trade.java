package io.github.liquidscheduler.scheduler.models;

import java.util.List;

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
 * <p>That holds while nobody waits. Else who is left never gets the faster place.
 *
 * @param riser the job that comes to faster GPUs
 * @param giver the job that gives them up
 */
record Trade(RunningOn riser, RunningOn giver) {

  /** Returns by how many seconds the sum of both completion times is less than without it. */
  double saved() {
    return sum(giver, riser) - sum(riser, giver);
  }

  /**
   * Returns by how many seconds it is less if others wait: then who is left stays where it is,
   * since they take what becomes free.
   */
  double savedForGood() {
    double riserSaves = riser.time() - riser.time(giver.model());
    double giverSaves = giver.time() - giver.time(riser.model());
    return riserSaves + giverSaves;
  }

  /** Returns where both go, on the GPUs of the other. */
  List<QueueDelay.Relocation> relocations() {
    return List.of(
        new QueueDelay.Relocation(
            riser.entry(), giver.entry().placement().orElseThrow(), riser.time(giver.model())),
        new QueueDelay.Relocation(
            giver.entry(), riser.entry().placement().orElseThrow(), giver.time(riser.model())));
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
