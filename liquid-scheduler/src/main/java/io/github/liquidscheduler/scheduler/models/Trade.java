package io.github.liquidscheduler.scheduler.models;

import java.util.List;

/**
 * Two running jobs with equal numbers of GPUs that swap models: the riser becomes faster, the giver
 * gives way.
 *
 * <p>The saving follows from the two jobs alone: the sum of their completion times, given that the
 * remaining one continues on its faster model once the other has ended. Jobs whose speeds differ by
 * a constant factor are then ordered like shortest remaining time first, the shortest on the
 * fastest model, which is optimal for uniform machines (Gonzalez, 1977); with equal work,
 * comparative advantage decides.
 *
 * <p>That holds while no job waits. Otherwise the remaining job never gets the faster model.
 *
 * @param riser the job that gets faster GPUs
 * @param giver the job that gives them up
 */
record Trade(RunningOn riser, RunningOn giver) {

  /** Returns the reduction of the sum of completion times, in seconds. */
  double saved() {
    return sum(giver, riser) - sum(riser, giver);
  }

  /**
   * Returns the reduction if jobs wait, in seconds: then they take what becomes free, and the
   * remaining job stays where it is.
   */
  double savedWhileOthersWait() {
    double riserSaves = riser.time() - riser.time(giver.model());
    double giverSaves = giver.time() - giver.time(riser.model());
    return riserSaves + giverSaves;
  }

  /** Returns the moves of both jobs to each other's GPUs. */
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

  /** Returns the remaining seconds of a job that may use either model. */
  private double rest(RunningOn job, double left) {
    return left / Math.max(job.speedOn(giver.model()), job.speedOn(riser.model()));
  }

  /** Returns true if both may use each other's model and the riser is faster there. */
  boolean isPossible() {
    return riser.gpus() == giver.gpus()
        && giver.speed(riser.model()).isPresent()
        && riser
            .speed(giver.model())
            .filter(fast -> fast > riser.speedOn(riser.model()))
            .isPresent();
  }
}
