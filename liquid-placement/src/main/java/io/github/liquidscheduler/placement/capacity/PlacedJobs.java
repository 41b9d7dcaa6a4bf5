package io.github.liquidscheduler.placement.capacity;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that are placed, in the order in which they were, and which of them are suspended. A
 * suspended job keeps its position. Not thread-safe.
 */
final class PlacedJobs {

  private final Map<JobId, Placement> placements = new LinkedHashMap<>();
  private final Map<JobId, JobSpec> specs = new LinkedHashMap<>();
  private final Set<JobId> suspended = new LinkedHashSet<>();

  PlacedJobs copy() {
    PlacedJobs copy = new PlacedJobs();
    copy.placements.putAll(placements);
    copy.specs.putAll(specs);
    copy.suspended.addAll(suspended);
    return copy;
  }

  /** Returns all placements, those of suspended jobs too. */
  Iterable<Placement> placements() {
    return placements.values();
  }

  void requireNotPlaced(JobId job) {
    if (placements.containsKey(job)) {
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
    placements.put(placement.job(), placement);
    if (job != null) {
      specs.put(job.id(), job);
    }
  }

  /**
   * Removes a job and returns where it was placed.
   *
   * @throws IllegalStateException if it is not placed
   */
  Placement remove(JobId job) {
    Placement placement = placements.remove(job);
    if (placement == null) {
      throw new IllegalStateException("job '" + job + "' is not placed");
    }
    specs.remove(job);
    return placement;
  }

  /**
   * Suspends a job and returns where it is placed.
   *
   * @throws IllegalStateException if it is not placed, or suspended already
   */
  Placement suspend(JobId job) {
    Placement placement = placements.get(job);
    if (placement == null || !suspended.add(job)) {
      throw new IllegalStateException("job '" + job + "' is not placed, or is suspended already");
    }
    return placement;
  }

  /**
   * Resumes a job and returns where it is placed.
   *
   * @throws IllegalStateException if it is not suspended
   */
  Placement resume(JobId job) {
    Placement placement = placements.get(job);
    if (placement == null || !suspended.remove(job)) {
      throw new IllegalStateException("job '" + job + "' is not suspended");
    }
    return placement;
  }

  boolean isAnySuspended() {
    return !suspended.isEmpty();
  }

  boolean isSuspended(JobId job) {
    return suspended.contains(job);
  }

  /** Returns the jobs that are not suspended. */
  List<JobId> running() {
    return placements.keySet().stream().filter(job -> !suspended.contains(job)).toList();
  }

  /** Returns where a job is placed that is not suspended. */
  Optional<Placement> placement(JobId job) {
    return isSuspended(job) ? Optional.empty() : Optional.ofNullable(placements.get(job));
  }

  /** Returns what a job is that is placed and not suspended, if that is known. */
  Optional<JobSpec> job(JobId job) {
    return isSuspended(job) ? Optional.empty() : Optional.ofNullable(specs.get(job));
  }
}
