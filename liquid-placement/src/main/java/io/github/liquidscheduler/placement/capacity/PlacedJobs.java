package io.github.liquidscheduler.placement.capacity;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
 * The placed jobs in order of arrival, which of them are suspended, and those placed for a trial
 * only. A suspended job keeps its position, and may be placed elsewhere for a trial. Not
 * thread-safe.
 */
final class PlacedJobs {

  // Never iterated.
  private final Map<JobId, PlacedJob> jobs = new HashMap<>();
  private final NavigableMap<Long, PlacedJob> byArrival = new TreeMap<>();
  private final Set<JobId> suspended = new LinkedHashSet<>();
  private final Map<JobId, PlacedJob> tentative = new LinkedHashMap<>();
  private long arrivals;

  PlacedJobs copy() {
    PlacedJobs copy = new PlacedJobs();
    copy.jobs.putAll(jobs);
    copy.byArrival.putAll(byArrival);
    copy.suspended.addAll(suspended);
    copy.tentative.putAll(tentative);
    copy.arrivals = arrivals;
    return copy;
  }

  /** Returns all placements but those for a trial only, those of suspended jobs too. */
  private List<Placement> placements() {
    List<Placement> placements = new ArrayList<>();
    byArrival.values().forEach(placed -> placements.add(placed.placement()));
    return Collections.unmodifiableList(placements);
  }

  void requireMayAdd(JobId job) {
    requireNoneSuspended();
    if (jobs.containsKey(job)) {
      throw new IllegalStateException("job '" + job + "' is placed already");
    }
  }

  void requireNoneSuspended() {
    if (!suspended.isEmpty()) {
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

  /**
   * Adds a job for a trial; one that is placed is shown there only while it is suspended.
   *
   * @throws IllegalStateException if it is placed for a trial already
   */
  void addTentatively(JobSpec job, Placement placement) {
    if (tentative.putIfAbsent(job.id(), new PlacedJob(job, placement, arrivals)) != null) {
      throw new IllegalStateException("job '" + job.id() + "' is placed for a trial already");
    }
  }

  /**
   * Removes a job that was placed for a trial and returns its placement.
   *
   * @throws IllegalStateException if it was not
   */
  Placement removeTentative(JobId job) {
    @Nullable PlacedJob placed = tentative.remove(job);
    if (placed == null) {
      throw new IllegalStateException("job '" + job + "' is not placed for a trial");
    }
    return placed.placement();
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

  /** Returns the residents of a GPU that are shown; of a task listed twice the last entry. */
  List<Resident> shown(GpuId gpu, List<Resident> all) {
    return suspended.isEmpty()
        ? all
        : all.reversed().stream()
            .filter(resident -> isShown(gpu, resident))
            .distinct()
            .toList()
            .reversed();
  }

  /** Returns true if a resident of a GPU is of a placement at which its job is shown. */
  private boolean isShown(GpuId gpu, Resident resident) {
    return !suspended.contains(resident.job())
        || placement(resident.job()).stream()
            .flatMap(placement -> placement.tasks().stream())
            .anyMatch(
                task -> task.task().equals(resident.task()) && task.gpuIds().anyMatch(gpu::equals));
  }

  /** Returns the jobs that are shown, those for a trial last. */
  List<JobId> running() {
    List<JobId> running = new ArrayList<>();
    for (PlacedJob placed : byArrival.values()) {
      if (!suspended.contains(placed.placement().job())) {
        running.add(placed.placement().job());
      }
    }
    tentative.keySet().stream()
        .filter(job -> !jobs.containsKey(job) || suspended.contains(job))
        .forEach(running::add);
    return Collections.unmodifiableList(running);
  }

  /** Returns the placement of a job that is not suspended, or placed for a trial. */
  Optional<Placement> placement(JobId job) {
    return find(job).map(PlacedJob::placement);
  }

  /** Returns the description of a job that is not suspended or placed for a trial, if known. */
  Optional<JobSpec> job(JobId job) {
    return find(job).flatMap(placed -> Optional.ofNullable(placed.job()));
  }

  private Optional<PlacedJob> find(JobId job) {
    return jobs.containsKey(job) && !suspended.contains(job)
        ? Optional.ofNullable(jobs.get(job))
        : Optional.ofNullable(tentative.get(job));
  }

  /**
   * Checks that no job is on any of these nodes.
   *
   * @throws IllegalArgumentException if one is
   */
  void requireNoneOn(Collection<NodeId> gone) {
    for (Placement placement : gone.isEmpty() ? List.<Placement>of() : placements()) {
      for (TaskPlacement task : placement.tasks()) {
        if (gone.contains(task.node())) {
          throw new IllegalArgumentException(
              "a node must be empty before it goes, but job '%s' runs on '%s'"
                  .formatted(placement.job(), task.node()));
        }
      }
    }
  }
}
