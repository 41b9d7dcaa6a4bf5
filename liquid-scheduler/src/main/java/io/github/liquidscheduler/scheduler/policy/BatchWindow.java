package io.github.liquidscheduler.scheduler.policy;

import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * How long waiting jobs are gathered before a batch plan is requested for all of them together.
 *
 * <p>A window opens when there is something new to plan: a job comes to wait, or room grows for
 * jobs that an earlier plan left over. It closes when its time is up, or earlier if so many jobs,
 * or jobs asking for so many GPUs, have come in. Closing it gives a {@link Decision.RequestPlan};
 * the answer comes back as a {@link ClusterEvent.PlanProposed}. At most one plan is awaited at a
 * time; jobs that come meanwhile gather in the next window.
 *
 * <p>A plan says where jobs go, and not who goes: none is bypassed by one that takes room it could
 * have used, unless the window {@linkplain #bypassLimit says so}. Immutable.
 */
public final class BatchWindow {

  private static final Duration PLAN_WITHIN = Duration.ofSeconds(30);
  private static final int MOST_JOBS = 5_000;

  private final Duration time;
  private final Duration planWithin;
  private final OptionalInt jobs;
  private final OptionalDouble pressure;
  private final int mostJobs;
  private final int bypassLimit;

  private BatchWindow(
      Duration time,
      Duration planWithin,
      OptionalInt jobs,
      OptionalDouble pressure,
      int mostJobs,
      int bypassLimit) {
    this.time = time;
    this.planWithin = planWithin;
    this.jobs = jobs;
    this.pressure = pressure;
    this.mostJobs = mostJobs;
    this.bypassLimit = bypassLimit;
  }

  /**
   * Returns a window that closes so long after it opened; with zero, each event that brings
   * something new closes one. The plan has 30 seconds to come, and is for 5,000 jobs at most.
   *
   * @throws IllegalArgumentException if {@code time} is negative
   */
  public static BatchWindow of(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException(
          "the time of a batch window must not be negative, but was " + time);
    }
    return new BatchWindow(
        time, PLAN_WITHIN, OptionalInt.empty(), OptionalDouble.empty(), MOST_JOBS, 0);
  }

  /**
   * Returns this window, closing at once when so many jobs have come in.
   *
   * @throws IllegalArgumentException if {@code jobs} is less than 1
   */
  public BatchWindow closingAt(int jobs) {
    requireAJob(jobs);
    return new BatchWindow(time, planWithin, OptionalInt.of(jobs), pressure, mostJobs, bypassLimit);
  }

  /**
   * Returns this window, closing at once when the jobs that have come in ask for this part of all
   * GPUs of the cluster, or more.
   *
   * @param pressure GPUs asked ÷ GPUs there are; may exceed 1
   * @throws IllegalArgumentException if {@code pressure} is not positive
   */
  public BatchWindow closingAtPressure(double pressure) {
    if (!(pressure > 0)) {
      throw new IllegalArgumentException(
          "the pressure that closes a batch window must be positive, but was " + pressure);
    }
    return new BatchWindow(
        time, planWithin, jobs, OptionalDouble.of(pressure), mostJobs, bypassLimit);
  }

  /**
   * Returns this window, with so long for a plan to come. After that its jobs are placed without
   * one, each when its turn comes, and the plan will change nothing should it still come.
   *
   * @throws IllegalArgumentException if {@code time} is not positive
   */
  public BatchWindow planWithin(Duration time) {
    if (!time.isPositive()) {
      throw new IllegalArgumentException(
          "the time for a batch plan must be positive, but was " + time);
    }
    return new BatchWindow(this.time, time, jobs, pressure, mostJobs, bypassLimit);
  }

  /**
   * Returns this window, with plans for so many jobs at most: the first in turn. The others wait
   * for the next plan.
   *
   * @throws IllegalArgumentException if {@code jobs} is less than 1
   */
  public BatchWindow atMost(int jobs) {
    requireAJob(jobs);
    return new BatchWindow(time, planWithin, this.jobs, pressure, jobs, bypassLimit);
  }

  /**
   * Returns this window, with plans that may also reorder: they may start jobs on capacity that
   * jobs ahead of them could have used, but no job is bypassed by more than {@code jobs} others
   * while it waits; 0 by default. A planner then has more co-runners to choose from. Under a policy
   * that allows no bypass, or that pre-empts, no job is bypassed.
   *
   * @throws IllegalArgumentException if {@code jobs} is negative
   */
  public BatchWindow bypassLimit(int jobs) {
    if (jobs < 0) {
      throw new IllegalArgumentException(
          "the number of jobs that bypass one must not be negative, but was " + jobs);
    }
    return new BatchWindow(time, planWithin, this.jobs, pressure, mostJobs, jobs);
  }

  /** Returns how long the window stays open. */
  public Duration time() {
    return time;
  }

  /** Returns how long a plan has to come. */
  public Duration planWithin() {
    return planWithin;
  }

  /** Returns at how many jobs the window closes before its time is up, if at any. */
  public OptionalInt jobs() {
    return jobs;
  }

  /** Returns at which part of the cluster's GPUs it closes before its time is up, if at any. */
  public OptionalDouble pressure() {
    return pressure;
  }

  /** Returns for how many jobs a plan is at most. */
  public int mostJobs() {
    return mostJobs;
  }

  /** Returns by how many jobs one may be bypassed in what it could have used. */
  public int bypassLimit() {
    return bypassLimit;
  }

  private static void requireAJob(int jobs) {
    if (jobs < 1) {
      throw new IllegalArgumentException(
          "a batch window must have room for a job, but had for " + jobs);
    }
  }
}
