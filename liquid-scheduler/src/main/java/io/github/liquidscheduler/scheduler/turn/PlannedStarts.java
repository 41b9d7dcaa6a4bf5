package io.github.liquidscheduler.scheduler.turn;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.placement.capacity.ClusterOverlay;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The placements of a batch plan for jobs not yet tried in this turn. A job takes its planned
 * placement if it still fits. Otherwise a placement is sought that leaves the planned placements of
 * later jobs alone, and only then any: no job is bypassed by one that takes capacity it could have
 * used.
 *
 * <p>A deferrable job waits instead, while the planned jobs behind it are no more than may bypass
 * it. If a planned placement does not fit, deferred jobs are tried again.
 */
public final class PlannedStarts {

  private final JobTable table;
  private final ClusterOverlay planned;
  private Map<JobEntry, BatchedJobs.Membership> borrowed = Collections.emptyMap();
  private Map<JobEntry, Integer> deferrable = Collections.emptyMap();
  private NavigableSet<Integer> started = Collections.emptyNavigableSet();
  private long number;
  private int bypassLimit;
  private boolean someDidNotFit;

  PlannedStarts(JobTable table) {
    this.table = table;
    planned = new ClusterOverlay(table.cluster());
  }

  /** Starts the plan that answers request {@code number}; 0 for an unrequested plan. */
  public void begin(long number) {
    this.number = number;
    borrowed = new LinkedHashMap<>();
    deferrable = new LinkedHashMap<>();
    started = new TreeSet<>();
  }

  /** Returns the request that the plan answers; 0 for an unrequested plan. */
  public long number() {
    return number;
  }

  /** Adds the start of a waiting job after those added before. */
  public void add(JobEntry job, Placement placement) {
    planned.add(job.job(), placement);
  }

  /** Makes a parked job eligible for this turn; parked again unless it starts. */
  public void borrow(JobEntry job, BatchedJobs.Membership parkedAs) {
    borrowed.put(job, parkedAs);
    table.makeEligible(job);
  }

  /** Returns the jobs eligible for this turn only, with their reasons for parking. */
  public Map<JobEntry, BatchedJobs.Membership> borrowed() {
    return borrowed;
  }

  /** Allows up to {@code limit} others to bypass each of these jobs, given in policy order. */
  public void defer(List<JobEntry> jobs, int limit) {
    bypassLimit = limit;
    if (limit > 0) {
      jobs.forEach(job -> deferrable.put(job, deferrable.size()));
    }
  }

  /** Returns true if the plan starts the job. */
  public boolean contains(JobEntry job) {
    return planned.placement(job.id()).isPresent();
  }

  /** Returns the planned jobs in plan order. */
  public List<JobEntry> jobs() {
    return planned.jobs().isEmpty() ? List.of() : planned.jobs().stream().map(table::get).toList();
  }

  /** Returns true if the job waits for planned jobs behind it. */
  public boolean defers(JobEntry job) {
    return isDeferrable(job)
        && !planned.jobs().isEmpty()
        && planned.jobs().size() <= bypassLimit - job.bypassed();
  }

  /** Returns the planned jobs that must not be bypassed any more. */
  public List<JobEntry> notToBeBypassed() {
    return deferrable.keySet().stream().filter(job -> !isDeferrable(job)).toList();
  }

  /** Returns the jobs deferred for others that did not start. */
  public List<JobEntry> deferredInVain() {
    return someDidNotFit ? deferrable.keySet().stream().filter(this::waits).toList() : List.of();
  }

  /** Returns the job's planned placement if it may still start there. */
  public Optional<Placement> claim(JobEntry job, Placer placer) {
    Optional<Placement> placement = planned.placement(job.id());
    if (placement.isEmpty()) {
      return placement;
    }
    if (new PlacementCheck(table.cluster(), placer).mayStart(job.job(), placement.get())) {
      started.add(deferrable.getOrDefault(job, 0));
      return placement;
    }
    someDidNotFit = true;
    planned.withdraw(job.id());
    return Optional.empty();
  }

  /** Returns a placement for a job without a planned one. */
  public Optional<Placement> find(JobEntry job, Placer placer) {
    if (planned.jobs().isEmpty()) {
      return placer.place(table.cluster(), job.job());
    }
    Optional<Placement> beside = placer.place(planned.state(), job.job());
    return beside.isPresent() || defers(job) ? beside : placer.place(table.cluster(), job.job());
  }

  /** Notes a start. */
  public void started(JobEntry job, Placement placement) {
    planned.started(job.job(), placement);
  }

  /** Notes a size change. */
  void resized(JobEntry job, Placement placement) {
    planned.resized(job.job(), placement);
  }

  /** Notes a stop. */
  public void stopped(JobEntry job) {
    planned.stopped(job.id());
  }

  /** Counts the bypasses of each deferred job, once all jobs were tried. */
  public void countBypasses() {
    deferrable.forEach(
        (job, position) -> {
          if (waits(job)) {
            table.countBypass(job, started.tailSet(position).size());
          }
        });
  }

  private boolean isDeferrable(JobEntry job) {
    return deferrable.containsKey(job) && job.bypassed() < bypassLimit;
  }

  private boolean waits(JobEntry job) {
    return isDeferrable(job) && !job.isRunning();
  }
}
