package io.github.liquidscheduler.cli.sharing;

import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.simulator.slowdown.MeasuredJobs;
import io.github.liquidscheduler.simulator.trace.TraceJob;

/**
 * The sharing classes of a trace's jobs. The guaranteed ones are chosen without randomness, by
 * their lines in the file.
 *
 * @param jobs the jobs; those of one GPU with a measured workload may share
 * @param guaranteed the fraction of them that is guaranteed the floor; the others are opportunistic
 * @param floor the fraction of its speed that a guaranteed job keeps
 */
public record SharingClasses(MeasuredJobs jobs, double guaranteed, double floor) {

  /** Multiples of the golden section are spread evenly between whole numbers. */
  private static final double GOLDEN = 0.6180339887498949;

  public Sharing of(TraceJob job) {
    if (!jobs.mayShare(job)) {
      return new Sharing.Exclusive();
    }
    return job.line().orElse(0) * GOLDEN % 1 < guaranteed
        ? new Sharing.Guaranteed(floor)
        : new Sharing.Opportunistic();
  }
}
