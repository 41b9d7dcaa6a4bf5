package io.github.liquidscheduler.scheduler.policy;

import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * For how long waiting jobs are gathered before a batch plan is requested for all of them together.
 *
 * <p>A window opens when there is something new to plan: a job comes to wait, or capacity grows for
 * jobs that an earlier plan left over. It closes after its time, or earlier at a number of jobs or
 * of GPUs queued. Closing it gives a {@link Decision.RequestPlan}; the answer comes back as a
 * {@link ClusterEvent.PlanProposed}. At most one plan is awaited at a time; jobs that come
 * meanwhile gather in the next window.
 *
 * <p>A plan says where jobs start, and not in which order: no job is bypassed by one that takes
 * capacity it could have used, unless a {@linkplain #bypassLimit bypass limit} permits it. Where
 * the policy orders queues, a job is not bypassed by one of a queue whose turn it has become.
 * Immutable.
 */
public final class BatchWindow {

  private static final Duration PLAN_TIMEOUT = Duration.ofSeconds(30);
  private static final int MAX_PLAN_SIZE = 5_000;

  private final Duration time;
  private final Duration planTimeout;
  private final OptionalInt maxJobs;
  private final OptionalDouble queuedGpuFraction;
  private final int maxPlanSize;
  private final int bypassLimit;

  private BatchWindow(
      Duration time,
      Duration planTimeout,
      OptionalInt maxJobs,
      OptionalDouble queuedGpuFraction,
      int maxPlanSize,
      int bypassLimit) {
    this.time = time;
    this.planTimeout = planTimeout;
    this.maxJobs = maxJobs;
    this.queuedGpuFraction = queuedGpuFraction;
    this.maxPlanSize = maxPlanSize;
    this.bypassLimit = bypassLimit;
  }

  /**
   * Returns a window that closes {@code time} after it opened; with zero, each event that brings
   * something new closes one. A plan may take 30 seconds and is for 5,000 jobs at most.
   *
   * @throws IllegalArgumentException if {@code time} is negative
   */
  public static BatchWindow of(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException(
          "the time of a batch window must not be negative, but was " + time);
    }
    return new BatchWindow(
        time, PLAN_TIMEOUT, OptionalInt.empty(), OptionalDouble.empty(), MAX_PLAN_SIZE, 0);
  }

  /**
   * Returns this window, closing at once when {@code jobs} new jobs are in it.
   *
   * @throws IllegalArgumentException if {@code jobs} is less than 1
   */
  public BatchWindow maxJobs(int jobs) {
    return new BatchWindow(
        time,
        planTimeout,
        OptionalInt.of(atLeastOne(jobs)),
        queuedGpuFraction,
        maxPlanSize,
        bypassLimit);
  }

  /**
   * Returns this window, closing at once when the new jobs in it request this fraction of all GPUs
   * of the cluster, or more.
   *
   * @param fraction GPUs requested ÷ GPUs of the cluster; positive, may exceed 1
   * @throws IllegalArgumentException if {@code fraction} is not positive
   */
  public BatchWindow queuedGpuFraction(double fraction) {
    if (!(fraction > 0)) {
      throw new IllegalArgumentException(
          "the queued GPU fraction that closes a batch window must be positive, but was "
              + fraction);
    }
    return new BatchWindow(
        time, planTimeout, maxJobs, OptionalDouble.of(fraction), maxPlanSize, bypassLimit);
  }

  /**
   * Returns this window, with so long for a plan to come. After that its jobs are placed without
   * one, in the order of the policy, and the plan changes nothing should it still come.
   *
   * @throws IllegalArgumentException if {@code time} is not positive
   */
  public BatchWindow planTimeout(Duration time) {
    if (!time.isPositive()) {
      throw new IllegalArgumentException("a plan timeout must be positive, but was " + time);
    }
    return new BatchWindow(this.time, time, maxJobs, queuedGpuFraction, maxPlanSize, bypassLimit);
  }

  /**
   * Returns this window, with plans for at most the first {@code jobs} jobs in the order of the
   * policy. The others wait for the next plan.
   *
   * @throws IllegalArgumentException if {@code jobs} is less than 1
   */
  public BatchWindow maxPlanSize(int jobs) {
    return new BatchWindow(
        time, planTimeout, maxJobs, queuedGpuFraction, atLeastOne(jobs), bypassLimit);
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
    return new BatchWindow(time, planTimeout, maxJobs, queuedGpuFraction, maxPlanSize, jobs);
  }

  /** Returns how long the window stays open. */
  public Duration time() {
    return time;
  }

  /** Returns how long a plan may take. */
  public Duration planTimeout() {
    return planTimeout;
  }

  /** Returns at how many new jobs the window closes before its time is up, if at any. */
  public OptionalInt maxJobs() {
    return maxJobs;
  }

  /** Returns at which fraction of the cluster's GPUs it closes before its time is up, if at any. */
  public OptionalDouble queuedGpuFraction() {
    return queuedGpuFraction;
  }

  /** Returns for how many jobs a plan is at most. */
  public int maxPlanSize() {
    return maxPlanSize;
  }

  /** Returns by how many others a job may be bypassed. */
  public int bypassLimit() {
    return bypassLimit;
  }

  /** Returns all of it by name, as snapshots and journals carry it. */
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

  /**
   * Returns the window of which these are the {@link #parameters()}; what they do not say is as by
   * default.
   *
   * @throws IllegalArgumentException if one is out of its range or no number or duration, or there
   *     is no {@code time}
   */
  public static BatchWindow from(Map<String, String> parameters) {
    try {
      BatchWindow window = of(Duration.parse(parameters.getOrDefault("time", "")));
      for (Map.Entry<String, String> parameter : parameters.entrySet()) {
        window = window.with(parameter.getKey(), parameter.getValue());
      }
      return window;
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          "a batch window's times must be durations, but were " + parameters, e);
    }
  }

  private BatchWindow with(String name, String value) {
    return switch (name) {
      case "planTimeout" -> planTimeout(Duration.parse(value));
      case "maxJobs" -> maxJobs(Integer.parseInt(value));
      case "queuedGpuFraction" -> queuedGpuFraction(Double.parseDouble(value));
      case "maxPlanSize" -> maxPlanSize(Integer.parseInt(value));
      case "bypassLimit" -> bypassLimit(Integer.parseInt(value));
      default -> this;
    };
  }

  private static int atLeastOne(int jobs) {
    if (jobs < 1) {
      throw new IllegalArgumentException(
          "a batch window must hold at least 1 job, but held " + jobs);
    }
    return jobs;
  }
}
