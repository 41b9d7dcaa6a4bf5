package io.github.liquidscheduler.placement.capacity;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Workload;
import org.jspecify.annotations.Nullable;

/**
 * The workload and sharing promise of jobs, which differ only in the share and the memory they hold
 * and mostly fit the same co-runners. A value; its hash is computed once.
 */
public final class CoRunnerKind {

  private final Workload workload;
  private final Sharing sharing;
  private final int hash;

  /** Makes a kind. */
  public CoRunnerKind(Workload workload, Sharing sharing) {
    this.workload = workload;
    this.sharing = sharing;
    hash = 31 * workload.hashCode() + sharing.hashCode();
  }

  /** Returns the kind of a job. */
  public static CoRunnerKind of(JobSpec job) {
    return new CoRunnerKind(job.workload(), job.sharing());
  }

  /** Returns their workload. */
  public Workload workload() {
    return workload;
  }

  /** Returns their sharing promise. */
  public Sharing sharing() {
    return sharing;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof CoRunnerKind that
            && hash == that.hash
            && workload.equals(that.workload)
            && sharing.equals(that.sharing));
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return workload + ", " + sharing;
  }
}
