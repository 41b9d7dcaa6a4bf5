package io.github.liquidscheduler.scheduling;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.planning.PlanRequest;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
   * @param placement where each task runs
   * @param after the jobs that are being stopped, made smaller or moved and still hold some of it:
   *     start only once they have left
   */
  record Start(JobId job, Placement placement, Reason why, List<JobId> after) implements AboutJob {
    /**
     * Checks the parts.
     *
     * @throws IllegalArgumentException if the placement is of another job
     */
    public Start {
      Objects.requireNonNull(job, "job");
      requirePlacementOf(job, placement);
      Objects.requireNonNull(why, "why");
      after = List.copyOf(after);
    }

    /** Makes the decision to start a job at once. */
    public Start(JobId job, Placement placement, Reason why) {
      this(job, placement, why, List.of());
    }
  }

  /**
   * Stop a running job; it waits again. Decisions to stop come before the decisions to start that
   * need its capacity.
   *
   * @param why why it has to go
   * @param until the end of its grace period, when it has to be gone; empty if at once
   */
  record Preempt(JobId job, Reason why, Optional<Instant> until) implements AboutJob {
    /** Checks that nothing is null. */
    public Preempt {
      Objects.requireNonNull(job, "job");
      Objects.requireNonNull(why, "why");
      Objects.requireNonNull(until, "until");
    }

    /** Makes the decision to stop a job at once. */
    public Preempt(JobId job, Reason why) {
      this(job, why, Optional.empty());
    }
  }

  /**
   * Move a running job. It runs where it is until all that it waits for have left, and then moves
   * at once: what it leaves is free from then on. Nothing is reported about a move; one that fails
   * is a {@link ClusterEvent.JobFailed}.
   *
   * @param placement where each task runs afterwards
   * @param after the jobs that are being stopped, made smaller or moved and still hold some of it:
   *     move only once they have left, and keep the job running until then
   */
  record Migrate(JobId job, Placement placement, Reason why, List<JobId> after)
      implements AboutJob {
    /**
     * Checks the parts.
     *
     * @throws IllegalArgumentException if the placement is of another job
     */
    public Migrate {
      Objects.requireNonNull(job, "job");
      requirePlacementOf(job, placement);
      Objects.requireNonNull(why, "why");
      after = List.copyOf(after);
    }

    /** Makes the decision to move a job at once. */
    public Migrate(JobId job, Placement placement, Reason why) {
      this(job, placement, why, List.of());
    }
  }

  /**
   * Change how many tasks a running job has, while it runs (EDL: {@code scale_out}, {@code
   * scale_in}). Until it has switched it goes on as it is; the job holds all GPUs of both sizes
   * meanwhile. What becomes of it is told by {@link ClusterEvent.ResizeReported} of the same
   * number.
   *
   * <p>It takes the place of a resize of the job that is still under way: a job that is told to go
   * back before it has switched drops the new workers and reports that it has switched.
   *
   * <p>A job that gets larger may fail to, and stays as it is. One that gets smaller must leave:
   * its GPUs may be promised to others already, who start {@linkplain Start#after after} it. If it
   * cannot, stop it, and report it as {@linkplain ClusterEvent.JobFailed failed}.
   *
   * @param placement where each task runs afterwards; workers that stay keep their GPUs, though
   *     their indices may change
   * @param number which resize of the job this is, from 1
   * @param why why it pays, or which job needs the capacity
   * @param after the jobs that are being stopped, made smaller or moved and still hold some of it:
   *     the new workers start only once they have left
   */
  record Resize(JobId job, Placement placement, long number, Reason why, List<JobId> after)
      implements AboutJob {
    /**
     * Checks the parts.
     *
     * @throws IllegalArgumentException if the placement is of another job, or the number is not
     *     positive
     */
    public Resize {
      Objects.requireNonNull(job, "job");
      requirePlacementOf(job, placement);
      Objects.requireNonNull(why, "why");
      after = List.copyOf(after);
      if (number < 1) {
        throw new IllegalArgumentException(
            "the number of a resize must be at least 1, but was %d, for job '%s'"
                .formatted(number, job));
      }
    }
  }

  /**
   * Have a running job measure how fast it is at some of its sizes, none larger than the one it
   * has: it gets smaller step by step, runs some mini-batches at each size, and goes back (EDL:
   * {@code profile}). It holds its GPUs meanwhile. Answered by {@link ClusterEvent.JobProfiled}.
   *
   * @param sizes the numbers of tasks of its first role, descending, at least one
   */
  record Profile(JobId job, List<Integer> sizes, Reason why) implements AboutJob {
    /**
     * Checks the parts.
     *
     * @throws IllegalArgumentException if there is no size, or they do not descend to at least 1
     */
    public Profile {
      Objects.requireNonNull(job, "job");
      sizes = List.copyOf(sizes);
      Objects.requireNonNull(why, "why");
      int previous = Integer.MAX_VALUE;
      for (int size : sizes) {
        if (size < 1 || size >= previous) {
          throw new IllegalArgumentException(
              "sizes to profile must descend to at least 1, but were %s, for job '%s'"
                  .formatted(sizes, job));
        }
        previous = size;
      }
      if (sizes.isEmpty()) {
        throw new IllegalArgumentException(
            "a size must be profiled, but none was, for job '" + job + "'");
      }
    }
  }

  /**
   * Tell the user that the job will not run, or not again; the scheduler has dropped it.
   *
   * @param why what it requests that the cluster will never have, or that it has failed too often
   */
  record Reject(JobId job, Reason why) implements AboutJob {
    /** Checks that nothing is null. */
    public Reject {
      Objects.requireNonNull(job, "job");
      Objects.requireNonNull(why, "why");
    }
  }

  /**
   * Bring a data set to a node before a job starts there. It is under way until {@link
   * ClusterEvent.DataArrived}, {@link ClusterEvent.PrefetchFailed} or a {@link CancelPrefetch} of
   * the same node and data set; none is under way twice.
   *
   * @param job the waiting job that is expected to read it there first
   * @param dataset what, and how many bytes
   * @param neededAt when the job is expected to start there
   * @param evict the names of the data sets whose copies the node deletes first to free disk space;
   *     no running job reads them
   * @param why what it is expected to save
   */
  record Prefetch(
      JobId job, NodeId node, Dataset dataset, Instant neededAt, List<String> evict, Reason why)
      implements Decision {
    /**
     * Checks the parts.
     *
     * @throws IllegalArgumentException if what is brought is evicted
     */
    public Prefetch {
      Objects.requireNonNull(job, "job");
      Objects.requireNonNull(node, "node");
      Objects.requireNonNull(dataset, "dataset");
      Objects.requireNonNull(neededAt, "neededAt");
      Objects.requireNonNull(why, "why");
      evict = List.copyOf(evict);
      if (evict.contains(dataset.name())) {
        throw new IllegalArgumentException(
            "a prefetch must not evict what it brings, but was to evict '%s', for job '%s'"
                .formatted(dataset.name(), job));
      }
    }
  }

  /**
   * Stop a {@link Prefetch} that is under way, and give up what it has moved.
   *
   * @param node where to it was
   * @param dataset the name of the data set
   * @param why why nobody needs it there any more
   */
  record CancelPrefetch(NodeId node, String dataset, Reason why) implements Decision {
    /** Checks that nothing is null. */
    public CancelPrefetch {
      Objects.requireNonNull(node, "node");
      Objects.requireNonNull(dataset, "dataset");
      Objects.requireNonNull(why, "why");
    }
  }

  /**
   * Ask a batch planner for a plan of waiting jobs, outside the event loop, and bring it back as a
   * {@link ClusterEvent.PlanProposed}. If none comes in time, the scheduler places them itself.
   * Equal to another of the same number, jobs and reason. Immutable.
   */
  final class RequestPlan implements Decision {

    private final long number;
    private final List<JobId> jobs;
    private final List<JobId> deferrable;
    private final @Nullable PlanRequest request;
    private final Reason why;

    private RequestPlan(
        long number,
        List<JobId> jobs,
        List<JobId> deferrable,
        @Nullable PlanRequest request,
        Reason why) {
      if (number < 1) {
        throw new IllegalArgumentException(
            "the number of a request must be at least 1, but was " + number);
      }
      if (jobs.isEmpty()) {
        throw new IllegalArgumentException(
            "a plan must be requested for a job, but was for none, in request " + number);
      }
      this.number = number;
      this.jobs = List.copyOf(jobs);
      this.deferrable = List.copyOf(deferrable);
      this.request = request;
      this.why = Objects.requireNonNull(why, "why");
      JobId.requireDistinct(this.jobs, "request " + number);
      JobId.requireDistinct(this.deferrable, "the deferrable jobs of request " + number);
      requireAmong(this.jobs, this.deferrable, number);
    }

    /**
     * Returns the decision to ask {@code request}.
     *
     * @throws IllegalArgumentException if its number is not positive, or it is for no job
     */
    public static RequestPlan of(PlanRequest request, Reason why) {
      List<JobId> jobs = request.pending().stream().map(JobSpec::id).toList();
      return new RequestPlan(
          request.number(), jobs, List.copyOf(request.deferrable()), request, why);
    }

    /**
     * Returns the decision as a journal records it, without the cluster it was about.
     *
     * @param number the number of the request: 1 for the first, and one more for each that follows
     * @param jobs the jobs to plan, at least one, each once, in the order of the policy
     * @param deferrable those of them that a plan may defer
     * @throws IllegalArgumentException if the number is not positive, there is no job, one is there
     *     twice, or a deferrable one is not among those to plan
     */
    public static RequestPlan recorded(
        long number, List<JobId> jobs, List<JobId> deferrable, Reason why) {
      return new RequestPlan(number, jobs, deferrable, null, why);
    }

    /**
     * Returns the whole question: the jobs, and the cluster as it was when the plan was requested.
     * It may be answered on any thread; set how to search by {@link PlanRequest#withOptions}.
     *
     * @throws IllegalStateException if the decision was {@linkplain #recorded read from a journal}
     */
    public PlanRequest request() {
      if (request == null) {
        throw new IllegalStateException(
            "a recorded decision does not have the cluster that request " + number + " is about");
      }
      return request;
    }

    /** Returns the number of the request: 1 for the first, and one more for each that follows. */
    public long number() {
      return number;
    }

    /** Returns the jobs to plan, at least one, in the order of the policy. */
    public List<JobId> jobs() {
      return jobs;
    }

    /**
     * Returns those of the jobs that a plan may defer while jobs behind them start; no other job is
     * bypassed by one that takes capacity it could have used.
     */
    public List<JobId> deferrable() {
      return deferrable;
    }

    @Override
    public Reason why() {
      return why;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof RequestPlan that
          && number == that.number
          && jobs.equals(that.jobs)
          && deferrable.equals(that.deferrable)
          && why.equals(that.why);
    }

    @Override
    public int hashCode() {
      return Objects.hash(number, jobs, deferrable, why);
    }

    @Override
    public String toString() {
      return "RequestPlan[number=%d, jobs=%s, deferrable=%s, why=%s]"
          .formatted(number, jobs, deferrable, why);
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
  }

  private static void requirePlacementOf(JobId job, Placement placement) {
    if (!placement.job().equals(job)) {
      throw new IllegalArgumentException(
          "a decision must place its own job, but places '%s', for job '%s'"
              .formatted(placement.job(), job));
    }
  }
}
