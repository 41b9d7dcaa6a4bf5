package io.github.liquidscheduler.placement.capacity;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The placed jobs in order of arrival, and which of them are suspended. A suspended job keeps its
 * position. Not thread-safe.
 */
final class PlacedJobs {

  // Never iterated.
  private final Map<JobId, PlacedJob> jobs = new HashMap<>();
  private final NavigableMap<Long, PlacedJob> byArrival = new TreeMap<>();
  private final Set<JobId> suspended = new LinkedHashSet<>();
  private long arrivals;

  PlacedJobs copy() {
    PlacedJobs copy = new PlacedJobs();
    copy.jobs.putAll(jobs);
    copy.byArrival.putAll(byArrival);
    copy.suspended.addAll(suspended);
    copy.arrivals = arrivals;
    return copy;
  }

  /** Returns all placements, those of suspended jobs too. */
  List<Placement> placements() {
    List<Placement> placements = new ArrayList<>();
    byArrival.values().forEach(placed -> placements.add(placed.placement()));
    return Collections.unmodifiableList(placements);
  }

  void requireNotPlaced(JobId job) {
    if (jobs.containsKey(job)) {
      throw new IllegalStateException("job '" + job + "' is placed already");
    }
  }

  void requireNoneSuspended() {
    if (isAnySuspended()) {
      throw new IllegalStateException("nothing may change while jobs are suspended: " + suspended);
    }
  }

  /** Adds a job as the last one; its description need not be known. */
  void add(@Nullable JobSpec job, Placement placement) {
    add(job, placement, arrivals);
  }

  /** Adds a job at its place in the order; no other job has this number of arrival. */
  void add(@Nullable JobSpec job, Placement placement, long arrival) {
    PlacedJob placed = new PlacedJob(job, placement, arrival);
    jobs.put(placement.job(), placed);
    byArrival.put(arrival, placed);
    arrivals = Math.max(arrivals, arrival + 1);
  }

  /** Returns the number of arrival of a placed job, which orders it among the others. */
  long arrival(JobId job) {
    return Objects.requireNonNull(jobs.get(job)).arrival();
  }

  /**
   * Removes a job and returns its placement.
   *
   * @throws IllegalStateException if it is not placed
   */
  Placement remove(JobId job) {
    @Nullable PlacedJob placed = jobs.remove(job);
    if (placed == null) {
      throw new IllegalStateException("job '" + job + "' is not placed");
    }
    byArrival.remove(placed.arrival());
    return placed.placement();
  }

  /**
   * Suspends a job and returns it.
   *
   * @throws IllegalStateException if it is not placed, or suspended already
   */
  PlacedJob suspend(JobId job) {
    @Nullable PlacedJob placed = jobs.get(job);
    if (placed == null || !suspended.add(job)) {
      throw new IllegalStateException("job '" + job + "' is not placed, or is suspended already");
    }
    return placed;
  }

  /**
   * Resumes a job and returns it.
   *
   * @throws IllegalStateException if it is not suspended
   */
  PlacedJob resume(JobId job) {
    @Nullable PlacedJob placed = jobs.get(job);
    if (placed == null || !suspended.remove(job)) {
      throw new IllegalStateException("job '" + job + "' is not suspended");
    }
    return placed;
  }

  boolean isAnySuspended() {
    return !suspended.isEmpty();
  }

  boolean isSuspended(JobId job) {
    return suspended.contains(job);
  }

  /** Returns the jobs that are not suspended. */
  List<JobId> running() {
    List<JobId> running = new ArrayList<>();
    for (PlacedJob placed : byArrival.values()) {
      if (!suspended.contains(placed.placement().job())) {
        running.add(placed.placement().job());
      }
    }
    return Collections.unmodifiableList(running);
  }

  /** Returns the placement of a job that is not suspended. */
  Optional<Placement> placement(JobId job) {
    return find(job).map(PlacedJob::placement);
  }

  /** Returns the description of a job that is not suspended, if it is known. */
  Optional<JobSpec> job(JobId job) {
    return find(job).flatMap(placed -> Optional.ofNullable(placed.job()));
  }

  private Optional<PlacedJob> find(JobId job) {
    return isSuspended(job) ? Optional.empty() : Optional.ofNullable(jobs.get(job));
  }
}
