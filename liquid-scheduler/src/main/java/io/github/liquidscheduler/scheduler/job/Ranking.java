package io.github.liquidscheduler.scheduler.job;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduler.policy.JobView;
import io.github.liquidscheduler.scheduler.policy.PolicyState;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The policy's ranks of jobs, and the times of their reviews. */
public final class Ranking {

  private static final Comparator<JobEntry> BY_REVIEW =
      Comparator.<JobEntry, Instant>comparing(job -> Objects.requireNonNull(job.review()))
          .thenComparingLong(JobEntry::sequence);

  /** The rank of promised jobs, below all ranks of policies. */
  static final long PROMISED = Long.MIN_VALUE;

  private final SchedulingPolicy policy;
  private final boolean promises;
  private final TreeSet<JobEntry> reviews = new TreeSet<>(BY_REVIEW);

  /**
   * Makes an empty ranking.
   *
   * @param promises whether promised jobs come before what the policy orders
   */
  public Ranking(SchedulingPolicy policy, boolean promises) {
    this.policy = KnownPolicy.of(policy);
    this.promises = promises;
  }

  /** Returns true if firm jobs are promised GPUs. */
  public boolean promises() {
    return promises;
  }

  /** Returns true if the job has a deadline or must not be pre-empted. */
  public static boolean isFirm(JobSpec job) {
    return job.deadline().isPresent() || !job.isPreemptible();
  }

  /** Returns the policy that gives the ranks; only ranks, states and reviews can fail. */
  public SchedulingPolicy policy() {
    return policy;
  }

  /** Ranks a job after a change. No collection may hold it meanwhile. */
  public void rank(JobEntry job, Instant now) {
    rank(job, policy.policyState(job.at(now)), now);
  }

  /** Ranks a job with the given policy state. No collection may hold it meanwhile. */
  public void rank(JobEntry job, PolicyState policyState, Instant now) {
    job.judge(policyState, 0, null);
    JobView view = job.at(now);
    Optional<Instant> review = policy.nextReview(view).filter(at -> at.isAfter(now));
    if (isPromised(job)) {
      job.judge(policyState, PROMISED, review.orElse(null));
    } else if (falls(job)) {
      FallingRank rank = new FallingRank(policy, job);
      Optional<Instant> next =
          Stream.of(review, rank.nextReview(now))
              .flatMap(Optional::stream)
              .min(Comparator.naturalOrder());
      job.judge(policyState, rank.end(now), next.orElse(null));
    } else {
      job.judge(policyState, Math.max(PROMISED + 1, policy.rank(view)), review.orElse(null));
    }
  }

  private boolean isPromised(JobEntry job) {
    return promises && isFirm(job.job());
  }

  private boolean falls(JobEntry job) {
    return job.isRunning() && policy.isRemainingTime() && !isPromised(job);
  }

  /** Returns the job's rank on the scale of waiting jobs. */
  public long last(JobEntry job, Instant now) {
    boolean isKnown = job.rank() < Long.MAX_VALUE;
    return falls(job) && isKnown ? job.rank() - GpuTime.nanos(now) : job.rank();
  }

  /** Schedules the job's next review, if any. */
  public void add(JobEntry job) {
    if (job.review() != null) {
      reviews.add(job);
    }
  }

  /** Forgets a job, which has ended. */
  public void remove(JobEntry job) {
    if (job.review() != null) {
      reviews.remove(job);
    }
  }

  /** Returns the time of the next review. */
  public Optional<Instant> next() {
    return reviews.isEmpty() ? Optional.empty() : Optional.ofNullable(reviews.first().review());
  }

  /** Returns a job with a due review, or null. */
  public @Nullable JobEntry due(Instant now) {
    return next().filter(at -> !at.isAfter(now)).isPresent() ? reviews.first() : null;
  }
}
