package io.github.liquidscheduler.scheduler.policy;

import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * The batch window: waiting jobs are gathered, then one batch plan is requested for all of them.
 *
 * <p>A window opens when there is something new to plan: a job starts to wait, or capacity grows
 * for jobs left over by an earlier plan. It closes after its time, or earlier at a number of jobs
 * or of queued GPUs, with a {@link Decision.RequestPlan}; the plan arrives as a {@link
 * ClusterEvent.PlanProposed}. At most one plan is awaited; jobs that arrive meanwhile gather in the
 * next window.
 *
 * <p>A plan says where jobs start, not in which order: no job is bypassed by one that takes
 * capacity it could have used, unless a {@linkplain #bypassLimit bypass limit} permits it. Where
 * the policy orders queues, starts of a queue whose turn it has become do not count as bypassing.
 *
 * @param time the time that the window stays open
 * @param planTimeout the time after which a plan is late
 * @param maxJobs the number of new jobs at which the window closes early, if set
 * @param queuedGpuFraction the fraction of the cluster's GPUs at which it closes early, if set
 * @param maxPlanSize the maximum number of jobs per plan
 * @param bypassLimit the number of others by which a job may be bypassed
 */
public record BatchWindow(
    Duration time,
    Duration planTimeout,
    OptionalInt maxJobs,
    OptionalDouble queuedGpuFraction,
    int maxPlanSize,
    int bypassLimit) {

  private static final Duration PLAN_TIMEOUT = Duration.ofSeconds(30);
  private static final int MAX_PLAN_SIZE = 5_000;

  /**
   * Validates the parts.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public BatchWindow {
    if (time.isNegative()) {
      throw new IllegalArgumentException(
          "the time of a batch window must not be negative, but was " + time);
    }
    if (!planTimeout.isPositive()) {
      throw new IllegalArgumentException("a plan timeout must be positive, but was " + planTimeout);
    }
    if (Math.min(maxJobs.orElse(1), maxPlanSize) < 1) {
      throw new IllegalArgumentException(
          "a batch window must hold at least 1 job, but held "
              + Math.min(maxJobs.orElse(1), maxPlanSize));
    }
    if (!(queuedGpuFraction.orElse(1) > 0)) {
      throw new IllegalArgumentException(
          "the queued GPU fraction that closes a batch window must be positive, but was "
              + queuedGpuFraction.getAsDouble());
    }
    if (bypassLimit < 0) {
      throw new IllegalArgumentException(
          "the number of jobs that bypass one must not be negative, but was " + bypassLimit);
    }
  }

  /**
   * Returns a window that closes {@code time} after it opened, not negative; with zero, at each
   * event with something new. Its plan times out after 30 s and covers at most 5,000 jobs.
   *
   * @throws IllegalArgumentException if {@code time} is negative
   */
  public static BatchWindow of(Duration time) {
    return new BatchWindow(
        time, PLAN_TIMEOUT, OptionalInt.empty(), OptionalDouble.empty(), MAX_PLAN_SIZE, 0);
  }

  /**
   * Returns this window, closing early at {@code jobs} new jobs, at least 1; never by default.
   *
   * @throws IllegalArgumentException if {@code jobs} is less than 1
   */
  public BatchWindow maxJobs(int jobs) {
    return new BatchWindow(
        time, planTimeout, OptionalInt.of(jobs), queuedGpuFraction, maxPlanSize, bypassLimit);
  }

  /**
   * Returns this window, closing early when its new jobs request this fraction of the cluster's
   * GPUs; never by default.
   *
   * @param fraction GPUs requested ÷ GPUs of the cluster; positive, may exceed 1
   * @throws IllegalArgumentException if {@code fraction} is not positive
   */
  public BatchWindow queuedGpuFraction(double fraction) {
    return new BatchWindow(
        time, planTimeout, maxJobs, OptionalDouble.of(fraction), maxPlanSize, bypassLimit);
  }

  /**
   * Returns this window with a plan timeout, positive; 30 s by default. After it the jobs are
   * placed without a plan, in policy order, and a late plan changes nothing.
   *
   * @throws IllegalArgumentException if {@code time} is not positive
   */
  public BatchWindow planTimeout(Duration time) {
    return new BatchWindow(this.time, time, maxJobs, queuedGpuFraction, maxPlanSize, bypassLimit);
  }

  /**
   * Returns this window with plans for at most the first {@code jobs} jobs in policy order, at
   * least 1; 5,000 by default. The others wait for the next plan.
   *
   * @throws IllegalArgumentException if {@code jobs} is less than 1
   */
  public BatchWindow maxPlanSize(int jobs) {
    return new BatchWindow(time, planTimeout, maxJobs, queuedGpuFraction, jobs, bypassLimit);
  }

  /**
   * Returns this window with plans that may reorder: a job may be bypassed by at most {@code jobs}
   * others while it waits, not negative; 0 by default. A planner then has more co-runners to choose
   * from. Under a policy that allows no bypass, or that pre-empts, and where queues reclaim, no job
   * is bypassed.
   *
   * @throws IllegalArgumentException if {@code jobs} is negative
   */
  public BatchWindow bypassLimit(int jobs) {
    return new BatchWindow(time, planTimeout, maxJobs, queuedGpuFraction, maxPlanSize, jobs);
  }

  /** Returns the options by name, as in snapshots and journals. */
  public Map<String, String> parameters() {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("time", time.toString());
    parameters.put("planTimeout", planTimeout.toString());
    maxJobs.ifPresent(jobs -> parameters.put("maxJobs", Integer.toString(jobs)));
    queuedGpuFraction.ifPresent(
        fraction -> parameters.put("queuedGpuFraction", Double.toString(fraction)));
    parameters.put("maxPlanSize", Integer.toString(maxPlanSize));
    parameters.put("bypassLimit", Integer.toString(bypassLimit));
    return Collections.unmodifiableMap(parameters);
  }
}
