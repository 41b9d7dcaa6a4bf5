package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Finds the largest size of a job at which it can be placed, up to the preferred one. Goes by
 * halving, in a number of placements that grows with the logarithm of the sizes: the preferred size
 * finds no place, and smaller ones do whenever larger ones do.
 */
public final class LargestSize {

  private LargestSize() {}

  /** Returns where the job goes at the largest size below the preferred one. */
  public static Optional<Placement> belowPreferred(
      JobSpec job, Function<JobSpec, Optional<Placement>> place) {
    Parallelism parallelism = job.parallelism();
    List<Integer> sizes = parallelism.allowedSizes();
    Optional<Placement> found = place.apply(job.atLeastSize());
    int fitting = 0;
    int tooLarge = sizes.indexOf(parallelism.preferred());
    while (found.isPresent() && tooLarge - fitting > 1) {
      int middle = (fitting + tooLarge) >>> 1;
      Optional<Placement> larger = place.apply(job.atSize(sizes.get(middle)));
      found = larger.isPresent() ? larger : found;
      fitting = larger.isPresent() ? middle : fitting;
      tooLarge = larger.isPresent() ? tooLarge : middle;
    }
    return found;
  }
}
