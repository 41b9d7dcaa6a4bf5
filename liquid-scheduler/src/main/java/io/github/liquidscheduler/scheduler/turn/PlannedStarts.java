package io.github.liquidscheduler.scheduler.turn;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterOverlay;
import io.github.liquidscheduler.placement.gang.PlacementRules;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.TurnOrderedJobs;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/*
 * Idea: a job takes its planned placement if it still fits; any other is placed beside those of
 *   later jobs, and only then anywhere: nobody is bypassed by a job that takes what it could have
 *   used. A deferrable job waits while no more are planned behind it than may bypass it, and is
 *   tried again if a planned placement does not fit.
 * Invariants: an event that stops early leaves the plan to the next one, which decides the rest as
 *   one event would (ShortPlanLaws).
 * Cost: one copy of the cluster for each plan that others are placed beside, O(nodes).
 */
/** The placements of a batch plan for jobs not yet tried in this turn. */
public final class PlannedStarts {

  private final JobTable table;
  private final ClusterOverlay planned;
  // Empty in most turns.
  private Map<JobEntry, BatchedJobs.Membership> borrowed = Collections.emptyMap();
  private Map<JobId, Integer> deferrable = Collections.emptyMap();
  private NavigableSet<Integer> started = Collections.emptyNavigableSet();
  private List<JobEntry> singled = List.of();
  private long number;
  private int bypassLimit;
  private boolean someDidNotFit;
  private boolean isResumed;
  private boolean hadGrown;

  PlannedStarts(JobTable table) {
    this.table = table;
    planned = new ClusterOverlay(table.cluster());
  }

  /** Starts the plan that answers request {@code number}; 0 for an unrequested plan. */
  public void begin(long number) {
    this.number = number;
    planned.clear();
    deferrable = new LinkedHashMap<>();
    started = new TreeSet<>();
    singled = List.of();
    someDidNotFit = false;
    isResumed = false;
  }

  /**
   * Goes on with a plan that an earlier event has left. Jobs that no longer wait to be tried, or
   * may no longer run where planned, are dropped.
   *
   * @param limit the number of jobs that may bypass a deferrable one
   */
  public void resume(BatchedJobs.OpenPlan open, int limit) {
    begin(open.number());
    for (Placement start : open.starts()) {
      eligible(start.job())
          .filter(job -> mayRunAt(job.job(), start))
          .ifPresent(job -> planned.add(job.job(), start));
    }
    if (!planned.jobs().isEmpty()) {
      planned.resume(open.conflicting());
    }
    open.borrowed()
        .forEach((id, membership) -> eligible(id).ifPresent(job -> borrow(job, membership)));
    open.deferrable().forEach(id -> deferrable.put(id, deferrable.size()));
    bypassLimit = limit;
    started.addAll(open.started());
    singled = open.singled().stream().map(this::eligible).flatMap(Optional::stream).toList();
    someDidNotFit = open.someDidNotFit();
    hadGrown = open.hasGrown();
    isResumed = true;
  }

  private boolean mayRunAt(JobSpec job, Placement place) {
    return new PlacementRules(table.cluster().topology(), job).brokenBy(place).isEmpty();
  }

  private Optional<JobEntry> eligible(JobId id) {
    return Optional.ofNullable(table.find(id))
        .filter(job -> !job.isRunning() && job.delayedUntil() == null)
        .filter(job -> !table.batched().contains(job));
  }

  /**
   * Returns what is left for the next event.
   *
   * @param alone the jobs to be tried apart from the first of their classes
   * @param grown whether the event that brought the plan released capacity
   */
  public BatchedJobs.OpenPlan left(TurnOrderedJobs alone, boolean grown) {
    Map<JobId, BatchedJobs.Membership> waiting = new LinkedHashMap<>();
    borrowed.forEach((job, membership) -> waiting.put(job.id(), membership));
    List<JobId> ids = new ArrayList<>();
    alone.forEach(job -> ids.add(job.id()));
    Collections.sort(ids);
    return new BatchedJobs.OpenPlan(
        number,
        planned.jobs().stream().map(job -> planned.placement(job).orElseThrow()).toList(),
        planned.jobs().isEmpty() ? List.of() : planned.conflicting(),
        waiting,
        List.copyOf(deferrable.keySet()),
        List.copyOf(started),
        ids,
        someDidNotFit,
        grown);
  }

  /** Returns true if an earlier event has left the plan. */
  public boolean isResumed() {
    return isResumed;
  }

  /** Returns true if an earlier event, which has left the plan, released capacity. */
  public boolean hadGrown() {
    return hadGrown;
  }

  /**
   * Returns the jobs that an earlier event has left to be tried apart from their classes, without
   * those that an earlier pass of this turn has started.
   */
  public List<JobEntry> singled() {
    return singled.stream().filter(job -> eligible(job.id()).isPresent()).toList();
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
    if (borrowed.isEmpty()) {
      borrowed = new LinkedHashMap<>();
    }
    borrowed.put(job, parkedAs);
    if (table.batched().contains(job)) {
      table.waitingTransitions().makeEligible(job);
    }
  }

  /** Returns the jobs eligible for this turn only, with their reasons for parking. */
  public Map<JobEntry, BatchedJobs.Membership> borrowed() {
    return borrowed;
  }

  /** Allows up to {@code limit} others to bypass each of these jobs, given in policy order. */
  public void defer(List<JobEntry> jobs, int limit) {
    bypassLimit = limit;
    if (limit > 0) {
      jobs.forEach(job -> deferrable.put(job.id(), deferrable.size()));
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
        && planned.jobs().size() <= bypassLimit - job.history().bypassed();
  }

  /** Returns the planned jobs that must not be bypassed any more. */
  public List<JobEntry> notToBeBypassed() {
    return deferrableJobs().filter(job -> !isDeferrable(job)).toList();
  }

  /** Returns the jobs deferred for others that did not start. */
  public List<JobEntry> deferredInVain() {
    return someDidNotFit ? deferrableJobs().filter(this::waits).toList() : List.of();
  }

  /** Returns the job's planned placement if it may still start there. */
  public Optional<Placement> claim(JobEntry job, Placer placer) {
    Optional<Placement> placement = planned.placement(job.id());
    if (placement.isEmpty()) {
      return placement;
    }
    if (new PlacementCheck(table.cluster(), placer).mayStart(job.job(), placement.get())) {
      started.add(deferrable.getOrDefault(job.id(), 0));
      return placement;
    }
    giveUp(job);
    return Optional.empty();
  }

  /** Gives up the planned placement of a job, if it has one. */
  public void giveUp(JobEntry job) {
    if (contains(job)) {
      someDidNotFit = true;
      planned.withdraw(job.id());
    }
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

  /** Notes another placement of a running job: a move or a change of size. */
  void placed(JobEntry job, Placement placement) {
    planned.resized(job.job(), placement);
  }

  /** Notes a stop. */
  void stopped(JobEntry job) {
    planned.stopped(job.id());
  }

  /** Counts the bypasses of each deferred job, once all jobs were tried. */
  public void countBypasses() {
    deferrableJobs()
        .filter(this::waits)
        .forEach(
            job ->
                table
                    .waitingTransitions()
                    .countBypass(
                        job,
                        started.tailSet(Objects.requireNonNull(deferrable.get(job.id()))).size()));
  }

  private Stream<JobEntry> deferrableJobs() {
    return deferrable.keySet().stream().map(this::eligible).flatMap(Optional::stream);
  }

  private boolean isDeferrable(JobEntry job) {
    return deferrable.containsKey(job.id()) && job.history().bypassed() < bypassLimit;
  }

  private boolean waits(JobEntry job) {
    return isDeferrable(job) && !job.isRunning();
  }
}
