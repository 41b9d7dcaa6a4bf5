package io.github.liquidscheduler.planner.plan;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/** A copy of the cluster on which pending jobs start, one after the other. Not thread-safe. */
public final class BatchStarts {

  private final Map<JobId, JobSpec> pending = new LinkedHashMap<>();
  private final ClusterState state;
  private final Map<JobId, Placement> starts = new LinkedHashMap<>();

  /** Starts nobody yet. */
  public BatchStarts(PlanRequest request) {
    request.pending().forEach(job -> pending.put(job.id(), job));
    state = ClusterState.copyOf(request.view());
  }

  /** Returns the cluster with the jobs that start. */
  public ClusterState state() {
    return state;
  }

  /** Returns the pending jobs, those that start among them, in the order of the policy. */
  public List<JobSpec> pending() {
    return List.copyOf(pending.values());
  }

  /** Returns a pending job. */
  public JobSpec job(JobId job) {
    return Objects.requireNonNull(pending.get(job));
  }

  /** Starts a pending job. */
  public void start(JobSpec job, Placement placement) {
    state.apply(placement.sized(job), placement);
    starts.put(job.id(), placement);
  }

  /** Has a job wait again. */
  public void stop(JobId job) {
    state.release(job);
    starts.remove(job);
  }

  /** Moves a running job. */
  public void move(JobSpec job, Placement to) {
    state.release(job.id());
    state.apply(job, to);
  }

  /**
   * Starts the remaining jobs that a placer can place, in the order of the policy: a job of several
   * sizes at its preferred one, or at the largest smaller one that fits.
   */
  public void startRest(Placer placer) {
    for (JobSpec job : pending.values()) {
      if (!starts.containsKey(job.id())) {
        largest(placer, job).ifPresent(placement -> start(job, placement));
      }
    }
  }

  /**
   * Enlarges jobs that start below their preferred sizes if larger ones fit after all, in the order
   * of the policy.
   *
   * @param mayStart where they may start
   */
  void enlarge(Placer placer, Predicate<Placement> mayStart) {
    for (JobSpec job : pending.values()) {
      Placement small = starts.get(job.id());
      if (small != null && small.tasks().size() < job.tasks()) {
        stop(job.id());
        Optional<Placement> larger =
            largest(placer, job)
                .filter(placement -> placement.tasks().size() > small.tasks().size())
                .filter(mayStart);
        start(job, larger.orElse(small));
      }
    }
  }

  /** Returns true if all pending jobs start, at the sizes that they prefer. */
  boolean isEnoughForAll() {
    return pending.values().stream()
        .allMatch(
            job ->
                placement(job.id())
                    .filter(start -> start.tasks().size() >= job.tasks())
                    .isPresent());
  }

  private Optional<Placement> largest(Placer placer, JobSpec job) {
    Parallelism sizes = job.parallelism();
    Optional<Placement> preferred = placer.place(state, job.atSize(sizes.preferred()));
    return preferred.isPresent() || sizes.preferred() == sizes.min()
        ? preferred
        : smaller(placer, job);
  }

  /** Goes by halving: smaller sizes fit whenever larger ones do. */
  private Optional<Placement> smaller(Placer placer, JobSpec job) {
    List<Integer> sizes = job.parallelism().allowedSizes();
    Optional<Placement> found = placer.place(state, job.atLeastSize());
    int fitting = 0;
    int tooLarge = sizes.indexOf(job.parallelism().preferred());
    while (found.isPresent() && tooLarge - fitting > 1) {
      int middle = (fitting + tooLarge) >>> 1;
      Optional<Placement> larger = placer.place(state, job.atSize(sizes.get(middle)));
      found = larger.isPresent() ? larger : found;
      fitting = larger.isPresent() ? middle : fitting;
      tooLarge = larger.isPresent() ? tooLarge : middle;
    }
    return found;
  }

  /** Returns the placement of a job, if it starts. */
  public Optional<Placement> placement(JobId job) {
    return Optional.ofNullable(starts.get(job));
  }

  /** Returns the placements of the starts, in the order in which they were started. */
  public Map<JobId, Placement> placements() {
    return new LinkedHashMap<>(starts);
  }

  /** Returns the placements of the starts, in the order of the policy. */
  public List<Placement> inOrder() {
    return pending.keySet().stream().filter(starts::containsKey).map(starts::get).toList();
  }

  /** Returns the jobs that wait, in the order of the policy. */
  public List<JobId> postponed() {
    return pending.keySet().stream().filter(job -> !starts.containsKey(job)).toList();
  }
}
