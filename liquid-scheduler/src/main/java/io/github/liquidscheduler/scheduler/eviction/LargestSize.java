package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The search for the largest size of a job that fits, up to the preferred one, by bisection: O(log
 * sizes) attempts. Assumes that smaller sizes fit if larger ones do.
 */
public final class LargestSize {

  private LargestSize() {}

  /** Returns what is found at the largest size up to the preferred one; empty if none fits. */
  public static <T> Optional<T> upToPreferred(JobSpec job, Function<JobSpec, Optional<T>> find) {
    Parallelism sizes = job.parallelism();
    Optional<T> preferred = find.apply(job.atSize(sizes.preferred()));
    return preferred.isPresent() || sizes.preferred() == sizes.min()
        ? preferred
        : belowPreferred(job, find);
  }

  /**
   * Returns what is found at the largest size below the preferred one, which does not fit; empty if
   * none fits.
   */
  static <T> Optional<T> belowPreferred(JobSpec job, Function<JobSpec, Optional<T>> find) {
    Parallelism parallelism = job.parallelism();
    List<Integer> sizes = parallelism.allowedSizes();
    Optional<T> found = find.apply(job.atLeastSize());
    int fitting = 0;
    int tooLarge = sizes.indexOf(parallelism.preferred());
    while (found.isPresent() && tooLarge - fitting > 1) {
      int middle = (fitting + tooLarge) >>> 1;
      Optional<T> larger = find.apply(job.atSize(sizes.get(middle)));
      found = larger.isPresent() ? larger : found;
      fitting = larger.isPresent() ? middle : fitting;
      tooLarge = larger.isPresent() ? tooLarge : middle;
    }
    return found;
  }
}
