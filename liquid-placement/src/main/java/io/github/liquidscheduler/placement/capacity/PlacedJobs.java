package io.github.liquidscheduler.placement.capacity;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The placed jobs in order of placement, and which of them are suspended. A suspended job keeps its
 * position. Not thread-safe.
 */
final class PlacedJobs {

  private final SharedMap<JobId, PlacedJob> jobs;
  private final Set<JobId> suspended = new LinkedHashSet<>();

  PlacedJobs() {
    this(new SharedMap<>(LinkedHashMap::new));
  }

  private PlacedJobs(SharedMap<JobId, PlacedJob> jobs) {
    this.jobs = jobs;
  }

  PlacedJobs copy() {
    PlacedJobs copy = new PlacedJobs(jobs.copy());
    copy.suspended.addAll(suspended);
    return copy;
  }

  /** Returns all placements, those of suspended jobs too. */
  List<Placement> placements() {
    List<Placement> placements = new ArrayList<>();
    jobs.forEach((job, placed) -> placements.add(placed.placement()));
    return Collections.unmodifiableList(placements);
  }

  void requireNotPlaced(JobId job) {
    if (jobs.get(job) != null) {
      throw new IllegalStateException("job '" + job + "' is placed already");
    }
  }

  void requireNoneSuspended() {
    if (isAnySuspended()) {
      throw new IllegalStateException("nothing may change while jobs are suspended: " + suspended);
    }
  }

  /** Adds a job, whose description need not be known. */
  void add(@Nullable JobSpec job, Placement placement) {
    jobs.put(placement.job(), new PlacedJob(job, placement));
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
    jobs.forEach(
        (job, placed) -> {
          if (!suspended.contains(job)) {
            running.add(job);
          }
        });
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
