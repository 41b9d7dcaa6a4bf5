package io.github.liquidscheduler.scheduler.deadline;

import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.timeline.FreeProfile;
import io.github.liquidscheduler.placement.timeline.TimeWindow;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.Ranking;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.resize.SpeedCurve;
import io.github.liquidscheduler.scheduler.speed.SeenSpeeds;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/*
 * Idea: minimum satisfactory shares. A profile of free GPUs over time holds what is promised; a
 *   new job gets its smallest size that meets the deadline beside all earlier promises.
 * Invariants: a new promise fits beside all earlier ones; a started job never holds less than its
 *   share, so growing and shrinking back only let it end sooner. An admitted job meets its
 *   deadline if its estimates hold and no node fails (DeadlineLaws).
 * Cost: O(jobs x steps) to build, with steps <= 2 jobs; best is O(sizes x steps), earliest and
 *   mayGrow O(steps).
 * Source: Gu et al., ElasticFlow, ASPLOS 2023, section 4.1.
 */
/**
 * The GPUs promised to jobs over time, as of one instant.
 *
 * <p>Jobs with deadlines and jobs that must not be pre-empted hold their smallest sizes: running
 * ones until their expected ends, waiting ones from their promised starts. All others give way.
 * GPUs are counted, not placed, which is exact where each task needs one GPU and may run anywhere.
 * Where speeds differ by GPU model, a waiting job is expected on the slowest that it may get.
 *
 * <p>A new job gets its minimum satisfactory share: its smallest size that meets the deadline
 * beside all earlier promises (Gu et al., ElasticFlow, ASPLOS 2023, section 4.1; there the share
 * may vary over time).
 */
public final class SharePlan {

  private final JobTable jobs;
  private final Elasticity rules;
  private final ExpectedSpeeds speeds;
  private final FreeProfile free;
  private final long now;
  private final int freeNow;

  /** Makes the plan of the current jobs. */
  public SharePlan(JobTable jobs, Elasticity rules) {
    this.jobs = jobs;
    this.rules = rules;
    speeds = new ExpectedSpeeds(jobs.cluster().topology(), rules.predictor().orElse(null));
    now = GpuTime.nanos(jobs.now());
    freeNow = jobs.cluster().freeGpus();
    free =
        FreeProfile.heldUntil(
            freeNow + jobs.running().gpus(), now, heldUntil(jobs.running().firm()));
    jobs.eligible().inOrder().forEach(this::promiseWaiting);
    jobs.delayed().inOrder().forEach(this::promiseWaiting);
  }

  /** Returns true if such jobs are promised GPUs. */
  public static boolean isPromised(JobSpec job) {
    return Ranking.isFirm(job);
  }

  /** Returns true if a waiting job was promised to have started by now. */
  public static boolean isPromiseDue(JobTable jobs) {
    return jobs.eligible().inOrder().stream().anyMatch(SharePlan::isDue)
        || jobs.delayed().inOrder().stream().anyMatch(SharePlan::isDue);
  }

  private static boolean isDue(JobEntry waiting) {
    return isPromised(waiting.job()) && waiting.delayedUntil() == null;
  }

  /** Returns the GPUs promised to running jobs, by expected end. */
  private SortedMap<Long, Long> heldUntil(Collection<JobEntry> running) {
    SortedMap<Long, Long> held = new TreeMap<>();
    for (JobEntry job : running) {
      long end = Math.max(now + 1, end(job));
      held.merge(end, (long) gpus(job.job(), job.job().parallelism().min()), Long::sum);
    }
    return held;
  }

  private void promiseWaiting(JobEntry job) {
    if (isPromised(job.job())) {
      promise(job, -1);
    }
  }

  /** Removes the promise of a waiting job, and returns this plan. */
  SharePlan without(JobEntry waiting) {
    promise(waiting, 1);
    return this;
  }

  /** Frees a job's promised GPUs, or holds them again. */
  private void promise(JobEntry job, int sign) {
    window(job)
        .ifPresent(
            window ->
                free.add(window, (long) sign * gpus(job.job(), job.job().parallelism().min())));
  }

  /** Returns the window of a job's promise; empty if it cannot be known. */
  Optional<TimeWindow> window(JobEntry job) {
    if (job.isRunning()) {
      return Optional.of(new TimeWindow(now, Math.max(now + 1, end(job))));
    }
    @Nullable Instant held = job.delayedUntil();
    long start = held == null ? now : GpuTime.nanos(held);
    return start == TimeWindow.FOREVER
        ? Optional.empty()
        : Optional.of(TimeWindow.of(start, wholeLength(job)));
  }

  private long wholeLength(JobEntry job) {
    int least = job.job().parallelism().min();
    boolean mayStartLarger = job.job().parallelism().preferred() > least;
    return GpuTime.cappedSum(
        GpuTime.cappedSum(margin(job.job(), least), mayStartLarger ? pause(job) : 0),
        length(job, least));
  }

  /** Returns the latest end of a running job, pauses still to come included. */
  private long end(JobEntry job) {
    boolean isResizing = job.resizing().isPresent();
    boolean mayShrink = isResizing || job.size() > job.job().parallelism().min();
    long end = endAtLeastSize(job);
    end = mayShrink ? GpuTime.cappedSum(end, pause(job)) : end;
    return isResizing ? GpuTime.cappedSum(end, pause(job)) : end;
  }

  private long pause(JobEntry job) {
    return GpuTime.nanos(rules.cost().pause(job.job(), job.job().parallelism().max()));
  }

  /** Returns the expected end of a running job that continues at its smallest size. */
  private long endAtLeastSize(JobEntry job) {
    int least = job.job().parallelism().min();
    int size = job.size();
    double slower = speeds.ratio(job.job(), job.history().speeds(), least, size);
    Optional<Duration> expected =
        isFirstSize(job)
            ? job.job().expectedWork().flatMap(ExpectedWork::duration)
            : job.at(jobs.now()).timeLeft();
    if (expected.isEmpty()) {
      return TimeWindow.FOREVER;
    }
    long left =
        isFirstSize(job)
            ? times(
                    nanosAtSize(job.job(), job.history().speeds(), expected.get(), size),
                    1 / job.speed().gpu())
                - sinceStart(job)
            : GpuTime.nanos(expected.get());
    return GpuTime.cappedSum(now, times(left, slower));
  }

  /** Returns true if the job's progress is known only from its start time. */
  private static boolean isFirstSize(JobEntry job) {
    return job.knownAt().equals(job.since()) && job.history().executed().isZero();
  }

  private long sinceStart(JobEntry job) {
    return job.isStarting() ? 0 : now - GpuTime.nanos(job.since());
  }

  private long nanosAtSize(JobSpec job, SpeedCurve seen, Duration atPreferred, int size) {
    double slower = speeds.ratio(job, seen, size, job.parallelism().preferred());
    return times(GpuTime.nanos(atPreferred), slower);
  }

  /** Returns the run time of a waiting job at a size; {@link TimeWindow#FOREVER} if unknown. */
  private long length(JobEntry job, int size) {
    return job.at(jobs.now())
        .remaining()
        .map(left -> nanosAtSize(job.job(), job.history().speeds(), left, size))
        .map(left -> onSlowest(job.job(), job.history().gpuSpeeds(), left))
        .orElse(TimeWindow.FOREVER);
  }

  /** Returns the run time, at least 1, on the slowest GPUs that a job may get. */
  private long onSlowest(JobSpec job, SeenSpeeds seen, long onFastest) {
    double speed =
        jobs.speeds().map(known -> known.slowest(job, seen, jobs.cluster().topology())).orElse(1.0);
    return Math.max(1, times(onFastest, 1 / speed));
  }

  private static long times(long time, double factor) {
    double nanos = Math.max(0, time) * factor;
    return nanos < Long.MAX_VALUE / 4.0 ? (long) Math.ceil(nanos) : TimeWindow.FOREVER;
  }

  /** Returns the tolerated delay of a promised start: the time for others to free the capacity. */
  private long margin(JobSpec job, int size) {
    Duration pause = rules.cost().pause(job, size);
    return GpuTime.cappedSum(GpuTime.nanos(pause), GpuTime.nanos(jobs.preemption().gracePeriod()));
  }

  /**
   * Returns the smallest share that meets a new job's deadline, else the share with the earliest
   * end; empty if none can be promised.
   */
  Optional<Share> best(JobSpec job) {
    SpeedCurve seen = SpeedCurve.NONE;
    @Nullable Share first = null;
    for (int size : job.parallelism().allowedSizes()) {
      long length =
          job.expectedWork()
              .flatMap(ExpectedWork::duration)
              .map(whole -> nanosAtSize(job, seen, whole, size))
              .map(whole -> onSlowest(job, SeenSpeeds.NONE, whole))
              .orElse(TimeWindow.FOREVER);
      for (boolean larger : new boolean[] {true, false}) {
        @Nullable Share share = share(job, size, length, larger);
        if (share != null && meets(job, share)) {
          return Optional.of(share);
        }
        first = share != null && (first == null || share.end() < first.end()) ? share : first;
      }
    }
    return Optional.ofNullable(first);
  }

  /** Returns true if a share ends before the job's deadline. */
  static boolean meets(JobSpec job, Share share) {
    return job.deadline().isPresent() && share.end() <= GpuTime.nanos(job.deadline().get());
  }

  private @Nullable Share share(JobSpec job, int size, long length, boolean larger) {
    int gpus = gpus(job, size);
    Duration pause = rules.cost().pause(job, job.parallelism().max());
    boolean mayBeLarger = larger && size < job.parallelism().preferred();
    long needed = GpuTime.cappedSum(length, mayBeLarger ? GpuTime.nanos(pause) : 0);
    if (gpus <= freeNow && free.least(TimeWindow.of(now, needed)) >= gpus) {
      return new Share(size, now, GpuTime.cappedSum(now, needed), mayBeLarger);
    }
    long whole = GpuTime.cappedSum(needed, margin(job, size));
    long start = free.earliest(now, whole, gpus);
    return start == TimeWindow.FOREVER
        ? null
        : new Share(size, start, GpuTime.cappedSum(start, whole), mayBeLarger);
  }

  /** Returns the earliest possible start of a held job, no later than promised. */
  long earliest(JobEntry job) {
    promise(job, 1);
    int gpus = gpus(job.job(), job.job().parallelism().min());
    long start = free.earliest(now, wholeLength(job), gpus);
    promise(job, -1);
    return start;
  }

  /** Applies a change of a waiting job's promised start. */
  void move(JobEntry job, Runnable change) {
    promise(job, 1);
    change.run();
    promise(job, -1);
  }

  /**
   * Returns true if a running job may pause twice, to grow and to shrink again, without missing its
   * deadline or delaying a promise. If so, the delay is booked.
   */
  public boolean mayGrow(JobEntry job) {
    if (!isPromised(job.job())) {
      return true;
    }
    long end = end(job);
    long later = GpuTime.cappedSum(endAtLeastSize(job), 2 * pause(job));
    if (later <= end || end <= now) {
      return true;
    }
    TimeWindow delay = new TimeWindow(end, later);
    int gpus = gpus(job.job(), job.job().parallelism().min());
    boolean mayDelay = !breaksDeadline(job, delay) && free.least(delay) >= gpus;
    if (mayDelay) {
      free.add(delay, -gpus);
    }
    return mayDelay;
  }

  /** A job that is already late cannot break its deadline. */
  private static boolean breaksDeadline(JobEntry job, TimeWindow delay) {
    return job.job()
        .deadline()
        .map(GpuTime::nanos)
        .filter(deadline -> delay.start() <= deadline && delay.end() > deadline)
        .isPresent();
  }

  private static int gpus(JobSpec job, int size) {
    return job.gpus() + job.sizedGpus(size) - job.sizedGpus(job.parallelism().preferred());
  }
}
