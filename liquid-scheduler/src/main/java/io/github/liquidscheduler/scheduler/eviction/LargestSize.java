package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The search for the largest size below the preferred one at which a job can be placed, by
 * bisection: O(log sizes) placements. Assumes that the preferred size does not fit, and that
 * smaller sizes fit if larger ones do.
 */
public final class LargestSize {

  private LargestSize() {}

  /** Returns the placement at the largest size below the preferred one; empty if none fits. */
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
