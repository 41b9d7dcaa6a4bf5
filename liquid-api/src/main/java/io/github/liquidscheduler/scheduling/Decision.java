package io.github.liquidscheduler.scheduling;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Something the embedder shall do, and why. The scheduler takes each decision as carried out at
 * once; what could not be carried out is reported as a {@link ClusterEvent.JobFailed}.
 */
public sealed interface Decision {

  /** Returns why it was taken. */
  Reason why();

  /** A decision about one job. */
  sealed interface AboutJob extends Decision {

    /** Returns the job it is about. */
    JobId job();
  }

  /**
   * Start a waiting job.
   *
   * @param job the job
   * @param placement where each task runs
   * @param why why now
   */
  record Start(JobId job, Placement placement, Reason why) implements AboutJob {
    /**
     * Checks the parts.
     *
     * @throws IllegalArgumentException if the placement is of another job
     */
    public Start {
      Objects.requireNonNull(job, "job");
      requirePlacementOf(job, placement);
      Objects.requireNonNull(why, "why");
    }
  }

  /**
   * Stop a running job; it waits again. Decisions to stop come before the decisions to start that
   * need the room.
   *
   * @param job the job
   * @param why why it has to go
   */
  record Preempt(JobId job, Reason why) implements AboutJob {
    /** Checks that nothing is null. */
    public Preempt {
      Objects.requireNonNull(job, "job");
      Objects.requireNonNull(why, "why");
    }
  }

  /**
   * Move a running job.
   *
   * @param job the job
   * @param placement where each task runs afterwards
   * @param why why it pays
   */
  record Migrate(JobId job, Placement placement, Reason why) implements AboutJob {
    /**
     * Checks the parts.
     *
     * @throws IllegalArgumentException if the placement is of another job
     */
    public Migrate {
      Objects.requireNonNull(job, "job");
      requirePlacementOf(job, placement);
      Objects.requireNonNull(why, "why");
    }
  }

  /**
   * Tell the user that the job can never run; the scheduler has dropped it.
   *
   * @param job the job
   * @param why what it asks that the cluster will never have
   */
  record Reject(JobId job, Reason why) implements AboutJob {
    /** Checks that nothing is null. */
    public Reject {
      Objects.requireNonNull(job, "job");
      Objects.requireNonNull(why, "why");
    }
  }

  /**
   * Ask a batch planner for a plan of these waiting jobs, off the way of events, and bring it back
   * as a {@link ClusterEvent.PlanProposed}. If none comes in time, the scheduler places them
   * itself.
   *
   * @param number the number of the request: 1 for the first, and one more for each that follows
   * @param jobs the jobs to plan, at least one, each once, the next in turn first
   * @param deferrable those of them that a plan may leave waiting while jobs behind them start; no
   *     other job is bypassed by one that takes room it could have used
   * @param why why now
   */
  record RequestPlan(long number, List<JobId> jobs, List<JobId> deferrable, Reason why)
      implements Decision {
    /**
     * Checks the parts and copies the jobs.
     *
     * @throws IllegalArgumentException if the number is not positive, there is no job, one is there
     *     twice, or a deferrable one is not among those to plan
     */
    public RequestPlan {
      if (number < 1) {
        throw new IllegalArgumentException(
            "the number of a request must be at least 1, but was " + number);
      }
      jobs = List.copyOf(jobs);
      if (jobs.isEmpty()) {
        throw new IllegalArgumentException(
            "a plan must be requested for a job, but was for none, in request " + number);
      }
      JobId.requireDistinct(jobs, "request " + number);
      deferrable = List.copyOf(deferrable);
      JobId.requireDistinct(deferrable, "the deferrable jobs of request " + number);
      requireAmong(jobs, deferrable, number);
      Objects.requireNonNull(why, "why");
    }
  }

  private static void requireAmong(List<JobId> jobs, List<JobId> deferrable, long number) {
    Set<JobId> planned = new HashSet<>(jobs);
    for (JobId job : deferrable) {
      if (!planned.contains(job)) {
        throw new IllegalArgumentException(
            "a deferrable job must be one of those to plan, but '%s' is not, in request %d"
                .formatted(job, number));
      }
    }
  }

  private static void requirePlacementOf(JobId job, Placement placement) {
    if (!placement.job().equals(job)) {
      throw new IllegalArgumentException(
          "a decision must place its own job, but places '%s', for job '%s'"
              .formatted(placement.job(), job));
    }
  }
}
