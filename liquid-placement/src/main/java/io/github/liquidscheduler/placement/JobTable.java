package io.github.liquidscheduler.placement;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.scheduling.JobRecord;
import io.github.liquidscheduler.scheduling.JobStatus.Ending;
import io.github.liquidscheduler.scheduling.Progress;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Every waiting, running and remembered job, and the steps from one to the other. Each step keeps
 * queue, cluster and reviews in agreement.
 *
 * <p>Between two events every waiting job is known not to fit (or, if the policy does not skip, the
 * first is): neither what is free nor that together with what it may pre-empt is enough. What an
 * event changes about that is noted here: {@link #fresh} jobs, which have not been tried as they
 * now stand, and for whom room {@link #hasGrownFor grew}. Room that a pre-emptible job held was
 * there already for all of lower rank, so its end means nothing to them.
 */
final class JobTable {

  private static final Comparator<JobEntry> BY_REVIEW =
      Comparator.<JobEntry, Instant>comparing(job -> Objects.requireNonNull(job.review()))
          .thenComparingLong(JobEntry::sequence);

  private final ClusterState cluster;
  private final QueuePolicy policy;
  // Never iterated.
  private final Map<JobId, JobEntry> live = new HashMap<>();
  private final WaitingJobs waiting = new WaitingJobs();
  private final RunningJobs running;
  private final EndedJobs ended;
  private final TreeSet<JobEntry> reviews = new TreeSet<>(BY_REVIEW);
  private final Set<JobEntry> fresh = new LinkedHashSet<>();
  private boolean grown;
  private long grownFrom;
  private Instant now = Instant.MIN;
  private long submissions;

  JobTable(ClusterState cluster, QueuePolicy policy, int mostEnded) {
    this.cluster = cluster;
    this.policy = policy;
    running = new RunningJobs(policy.preempts());
    ended = new EndedJobs(mostEnded);
  }

  ClusterState cluster() {
    return cluster;
  }

  QueuePolicy policy() {
    return policy;
  }

  WaitingJobs waiting() {
    return waiting;
  }

  RunningJobs running() {
    return running;
  }

  EndedJobs ended() {
    return ended;
  }

  Instant now() {
    return now;
  }

  long submissions() {
    return submissions;
  }

  /** Returns the waiting or running job, or null if there is none of that id. */
  @Nullable JobEntry find(JobId job) {
    return live.get(job);
  }

  /** Returns the waiting or running job {@code job}. There is one. */
  JobEntry get(JobId job) {
    return Objects.requireNonNull(live.get(job));
  }

  /** Returns the jobs that wait since this event, or stand elsewhere in the queue. */
  Set<JobEntry> fresh() {
    return fresh;
  }

  /** Returns whether this event made room for anybody. */
  boolean hasGrown() {
    return grown;
  }

  /** Returns the lowest rank for which this event made room. */
  long grownFrom() {
    return grownFrom;
  }

  /** Returns whether this event made room for the job. */
  boolean hasGrownFor(JobEntry job) {
    return grown && job.rank() >= grownFrom;
  }

  /** Notes that there is more room for all. */
  void grow() {
    growFrom(Long.MIN_VALUE);
  }

  /** Notes that there is more room for all of this rank and higher ones. */
  void growFrom(long rank) {
    grownFrom = grown ? Math.min(grownFrom, rank) : rank;
    grown = true;
  }

  /** Notes that every waiting job has been tried, as far as the policy goes. */
  void settle() {
    fresh.clear();
    grown = false;
  }

  void advance(Instant now) {
    this.now = now;
  }

  /** Sets the clock and the count of submissions as they were recorded. */
  void restoreClock(Instant now, long submissions) {
    this.now = now;
    this.submissions = submissions;
  }

  void submit(JobSpec job) {
    JobEntry entry = new JobEntry(job, submissions++, now);
    live.put(job.id(), entry);
    enter(entry);
    fresh.add(entry);
  }

  /** Ends a job that never entered the queue. */
  void reject(JobId job) {
    submissions++;
    ended.add(job, Ending.REJECTED);
  }

  void start(JobEntry job, Placement placement) {
    dequeue(job);
    fresh.remove(job);
    cluster.apply(job.job(), placement);
    job.start(placement, now);
    running.add(job);
    enter(job);
  }

  /** Stops a running job, which then waits; {@code hasRun} says whether its time counts. */
  void stop(JobEntry job, boolean hasRun) {
    release(job);
    dequeue(job);
    running.remove(job);
    job.stop(now, hasRun);
    enter(job);
    fresh.add(job);
  }

  /** Moves a running job, which goes on elsewhere. */
  void move(JobEntry job, Placement placement) {
    release(job);
    dequeue(job);
    running.remove(job);
    cluster.apply(job.job(), placement);
    job.move(placement);
    running.add(job);
    enter(job);
  }

  /** Ends a waiting or running job. */
  void end(JobEntry job, Ending how) {
    if (job.isRunning()) {
      release(job);
      running.remove(job);
    }
    dequeue(job);
    fresh.remove(job);
    live.remove(job.id());
    ended.add(job.id(), how);
  }

  void progress(JobEntry job, Progress progress) {
    long before = lastRank(job);
    job.progress(progress, now);
    reconsider(job, before);
  }

  /** Has the policy look at every job whose review is due. */
  void review() {
    while (!reviews.isEmpty() && !isLater(reviews.first())) {
      reconsider(reviews.first(), lastRank(reviews.first()));
    }
  }

  /** Returns when the next review is due. */
  Optional<Instant> nextReview() {
    return reviews.isEmpty() ? Optional.empty() : Optional.ofNullable(reviews.first().review());
  }

  /** Puts a recorded job where it was; a running job's placement is taken in the cluster. */
  void restore(JobRecord record) {
    JobEntry job = new JobEntry(record);
    live.put(job.id(), job);
    if (job.isRunning()) {
      take(job);
      running.add(job);
    }
    rank(job, job.standing());
    enqueue(job);
  }

  private void take(JobEntry job) {
    try {
      job.placement().ifPresent(placement -> cluster.apply(job.job(), placement));
    } catch (IllegalStateException e) {
      throw new IllegalArgumentException(
          "a snapshot's running jobs must fit the cluster, but job '" + job.id() + "' does not", e);
    }
  }

  private boolean isLater(JobEntry job) {
    return Objects.requireNonNull(job.review()).isAfter(now);
  }

  /** Asks the policy anew about a job, of rank {@code before}, to which something has happened. */
  private void reconsider(JobEntry job, long before) {
    dequeue(job);
    enter(job);
    if (!job.isRunning() && job.rank() != before) {
      fresh.add(job);
    } else if (job.isRunning() && mayBePreempted(job) && lastRank(job) > before) {
      growFrom(before);
    }
  }

  private void release(JobEntry job) {
    growFrom(mayBePreempted(job) ? lastRank(job) : Long.MIN_VALUE);
    cluster.release(job.id());
  }

  private boolean mayBePreempted(JobEntry job) {
    return policy.preempts() && job.job().isPreemptible();
  }

  /** Returns the job's rank as the waiting jobs last saw it, or a lower one. */
  private long lastRank(JobEntry job) {
    return job.isRunning() && policy.isRemainingTime() ? policy.rank(job.at(now)) : job.rank();
  }

  private void enter(JobEntry job) {
    rank(job, policy.standing(job.at(now)));
    enqueue(job);
  }

  private void rank(JobEntry job, Standing standing) {
    job.judge(standing, 0, null);
    JobView view = job.at(now);
    long rank = policy.rank(view);
    boolean falls = job.isRunning() && policy.isRemainingTime();
    Instant review = policy.nextReview(view).filter(at -> at.isAfter(now)).orElse(null);
    job.judge(standing, falls ? GpuTime.cappedSum(rank, GpuTime.nanos(now)) : rank, review);
  }

  private void enqueue(JobEntry job) {
    if (job.isRunning()) {
      running.enqueue(job);
    } else {
      waiting.add(job);
    }
    if (job.review() != null) {
      reviews.add(job);
    }
  }

  private void dequeue(JobEntry job) {
    if (job.isRunning()) {
      running.dequeue(job);
    } else {
      waiting.remove(job);
    }
    if (job.review() != null) {
      reviews.remove(job);
    }
  }
}
