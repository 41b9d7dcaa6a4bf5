package io.github.liquidscheduler.planning;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import java.util.Objects;

/**
 * The move of a running job to another place, as a planner proposes it.
 *
 * @param to where each of its tasks runs afterwards
 * @param cost what the move costs, in seconds of job time, at least 0
 * @param gain what it saves, in the same unit
 */
public record Migration(JobId job, Placement to, double cost, double gain) {

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if the place is of another job, the cost or the gain is not
   *     finite, or the cost is negative
   */
  public Migration {
    Objects.requireNonNull(job, "job");
    if (!to.job().equals(job)) {
      throw new IllegalArgumentException(
          "a migration must move its own job, but moves '%s', for job '%s'"
              .formatted(to.job(), job));
    }
    if (!(Double.isFinite(cost) && Double.isFinite(gain) && cost >= 0)) {
      throw new IllegalArgumentException(
          "a migration's cost and gain must be finite and the cost not negative, but were "
              + "%s and %s, for job '%s'".formatted(cost, gain, job));
    }
  }

  /** Returns true if it gains more than it costs. */
  public boolean pays() {
    return gain > cost;
  }
}
