package io.github.liquidscheduler.scheduler.backfill;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.timeline.BackfillSchedule;
import io.github.liquidscheduler.placement.timeline.PlacementTimeline;
import io.github.liquidscheduler.placement.timeline.Reservation;
import io.github.liquidscheduler.placement.timeline.Slot;
import io.github.liquidscheduler.placement.timeline.TimeWindow;
import io.github.liquidscheduler.placement.timeline.WaitingJob;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.rollback.BeforeImages;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/*
 * Idea: EASY to conservative backfill over a timeline of expected ends. The first waiting jobs
 *   hold reservations; any other starts only where it delays none of them.
 * Invariants: only reservations, announced reservations and run times are state, the rest is
 *   derived from the jobs (ExpectedEnds). A reservation moves to a later start only if an expected
 *   end passes, a node fails or an announced reservation takes its place (BackfillLaws). Copies and
 *   restored plans reserve alike.
 * Cost: an update of the ends O(changed jobs); a pass asks the timeline once for each job that may
 *   have been helped (BackfillCandidates); a rollback O(nodes + running jobs + reservations).
 * Source: Lifka, The ANL/IBM SP scheduling system, 1995 (EASY); Mu'alem and Feitelson, IEEE TPDS
 *   12(6), 2001 (conservative).
 */
/**
 * The reservations of waiting jobs beside the expected ends of running ones. Only the reservations
 * are state; the rest follows from the jobs and is updated before each {@linkplain #begin pass}, in
 * O(changed jobs).
 *
 * <p>Times are nanoseconds since the epoch.
 */
public final class BackfillPlan {

  private final Backfill rules;
  private final Placer placer;
  private final Function<JobEntry, Placer> within;
  private final JobTable jobs;
  private final ExpectedEnds ends;
  private BackfillSchedule<JobSpec, Placement> schedule;
  private ReservedCapacity held;
  private Predicate<JobId> lifted = none -> false;
  private AdvanceReservations advance = new AdvanceReservations(List.of());
  private final BeforeImages<Image> images = new BeforeImages<>();
  private PlacementTimeline timeline;
  private ReservationHolds holds;
  private final LoosenedNodes loosened;

  /** The reservations at a mark. */
  private record Image(
      List<Reservation<Placement>> reservations,
      List<Announced> announced,
      Set<Slot<Placement>> looked) {}

  /**
   * Makes an empty plan for a table without waiting or running jobs.
   *
   * @param placer the placer of the jobs of the table
   * @param within the placer of a job that starts, which respects the quotas
   */
  public BackfillPlan(
      Backfill rules, Placer placer, Function<JobEntry, Placer> within, JobTable jobs) {
    this.rules = rules;
    this.placer = placer;
    this.within = within;
    this.jobs = jobs;
    loosened = new LoosenedNodes(jobs);
    ends = new ExpectedEnds(rules, jobs, loosened);
    held = ReservedCapacity.of(jobs, rules, this::reserved);
    timeline = new PlacementTimeline(idle(), placer);
    holds = new ReservationHolds(timeline, jobs);
    schedule = resumed(List.of());
  }

  /** Returns the announced reservations; live. */
  public AdvanceReservations advance() {
    return advance;
  }

  /** Opens a mark, to which {@link #rollBack} returns; O(reservations). */
  public void mark() {
    ends.runTimes().mark();
    images.mark();
    images.save(() -> new Image(reservations(), advance.all(), loosened.looked()));
  }

  /** Ends the innermost mark; the changes since stay. */
  public void commit() {
    noteMoved();
    ends.runTimes().commit();
    images.commit();
  }

  /** Returns to the innermost mark and ends it. The jobs are those of then. */
  public void rollBack() {
    ends.runTimes().rollBack();
    Image then = Objects.requireNonNull(images.rollBack());
    advance = new AdvanceReservations(then.announced());
    held = ReservedCapacity.of(jobs, rules, this::reserved);
    schedule = resumed(then.reservations());
    loosened.rollBackTo(then.looked());
  }

  /** Saves the observed run times. */
  public void saveRunTimes(SnapshotSection.Builder section) {
    ends.runTimes().save(section);
  }

  /** Restores announced reservations; to be called before {@link #resume}. */
  public void resumeAnnounced(List<Announced> announced) {
    advance = new AdvanceReservations(announced);
  }

  /** Restores reservations and run times, for the jobs that run now. */
  public void resume(List<Reservation<Placement>> reservations, SnapshotSection.Reader saved) {
    ends.resume(RunTimes.load(saved));
    schedule = resumed(reservations);
    loosened.rollBackTo(LoosenedNodes.slots(reservations));
  }

  /** Returns all reservations, in the order in which they were first made. */
  public List<Reservation<Placement>> reservations() {
    return schedule.reservations();
  }

  /** Returns the reserved start times of waiting jobs, as planned now. */
  public Map<JobId, Instant> starts() {
    Map<JobId, Instant> starts = new LinkedHashMap<>();
    reservations().forEach(each -> starts.put(each.job(), instant(each.start())));
    return Collections.unmodifiableMap(starts);
  }

  /** Returns the reserved start time of a waiting job, if it holds a reservation. */
  public Optional<Instant> start(JobId job) {
    return schedule.reservation(job).map(reservation -> instant(reservation.start()));
  }

  /**
   * Returns the earliest reservation that keeps a waiting job from starting now where it would
   * otherwise; empty if it fits nowhere or none does.
   */
  public Optional<UnmetConstraint> conflictFor(JobEntry job) {
    ReservedCapacity capacity = ReservedCapacity.of(jobs, rules, this::reserved);
    if (capacity.keepsOut(job)) {
      JobId holder = capacity.holder().orElseThrow().id();
      return Optional.of(ReservationConflict.ofJob(holder, start(holder).orElse(jobs.now())));
    }
    TimeWindow window = TimeWindow.of(now(), waiting(job).length());
    return placer
        .place(jobs.cluster(), job.job())
        .map(placement -> new ReservationConflict(job.job(), placement, window))
        .flatMap(start -> start.of(reservations(), advance.all()));
  }

  /**
   * Returns true if a running job may go on at another placement, free now, until its expected end
   * without delaying a reservation.
   */
  public boolean mayMove(JobEntry job, Placement to) {
    ends.update(schedule);
    Slot<Placement> moved =
        new Slot<>(new TimeWindow(now(), Math.max(now() + 1, ends.endAt(job, to))), to);
    return !ReservedCapacity.of(jobs, rules, this::reserved).isInTheWay(job, to)
        && fits(moved, none -> false)
        && quotas().admits(job, to, moved.window());
  }

  /**
   * Returns the first later instant at which a reservation begins, a job becomes overdue or, while
   * reservations or announced ones exist, a running job is expected to end. What was to begin or
   * end now may still do so; one nanosecond later the reservation is missed, or the expectation
   * outlived.
   */
  public Optional<Instant> nextWakeUp() {
    List<Reservation<Placement>> reserved = reservations();
    long now = now();
    long next = ReservedCapacity.nextDue(jobs, rules, now, TimeWindow.FOREVER);
    for (Reservation<Placement> reservation : reserved) {
      next = Math.min(next, Math.max(reservation.start(), now + 1));
    }
    if (!reserved.isEmpty() || !advance.isEmpty()) {
      next = Math.min(next, Math.max(ends.soonest(), now + 1));
    }
    return next == TimeWindow.FOREVER ? Optional.empty() : Optional.of(instant(next));
  }

  /** Adapts to nodes that were added, removed or changed health. */
  public void clusterChanged() {
    ClusterTopology topology = jobs.cluster().topology();
    List<Reservation<Placement>> possible =
        reservations().stream()
            .filter(reservation -> LoosenedNodes.areThere(reservation.slot().placement(), topology))
            .toList();
    for (Announced each : advance.all()) {
      if (each.slot()
          .filter(slot -> !LoosenedNodes.areThere(slot.placement(), topology))
          .isPresent()) {
        advance.keep(each.id(), Optional.empty());
      }
    }
    schedule = resumed(possible);
    schedule.clusterChanged();
  }

  /** Adapts to the nodes that an event has changed, before anybody is placed. */
  public void adaptTo(ClusterEvent event) {
    if (NodeChanges.areIn(event)) {
      clusterChanged();
    }
  }

  private BackfillSchedule<JobSpec, Placement> resumed(List<Reservation<Placement>> reservations) {
    timeline = new PlacementTimeline(idle(), placer);
    holds = new ReservationHolds(timeline, jobs);
    holds.hold(advance.all(), List.of(), any -> {});
    BackfillSchedule<JobSpec, Placement> resumed =
        new BackfillSchedule<>(
            new StartingTimeline(timeline, holds, within, jobs, () -> held, this::quotas));
    resumed.resume(ends.slots(), reservations);
    return resumed;
  }

  private ClusterState idle() {
    ClusterState cluster = jobs.cluster();
    ClusterState idle = cluster.idle();
    idle.copyHealth(cluster);
    return idle;
  }

  /**
   * Returns a pass over the waiting jobs after an event: adapts to what it changed, and holds the
   * announced reservations.
   */
  public ClaimPass begin(ClusterEvent event) {
    if (jobs.agenda().hasRelearned() || NodeChanges.areIn(event)) {
      clusterChanged();
    }
    for (ClusterEvent each : event.events()) {
      if (each instanceof ClusterEvent.JobUpdated updated) {
        schedule.cancelled(updated.job());
      }
    }
    return beginAgain();
  }

  /** Returns another pass of the same turn, after running jobs have moved. */
  public ClaimPass beginAgain() {
    ends.update(schedule);
    arrange();
    return goOn();
  }

  private void arrange() {
    new ReservationSearch(advance, timeline, holds, schedule, jobs).arrange();
  }

  /** Takes in who runs now, and for how long, before others reserve: announced ones come first. */
  void update() {
    ends.update(schedule);
    if (!advance.isEmpty()) {
      arrange();
    }
  }

  /** Returns a pass that goes on with one that has stopped early. */
  public ClaimPass goOn() {
    return new ClaimPass(this, jobs, rules);
  }

  /**
   * Takes in the changes since the last pass of a turn. Returns true if a reservation has moved or
   * was given up, so that jobs may start that it kept from it.
   */
  public boolean settle() {
    List<Reservation<Placement>> before = reservations();
    goOn().refresh();
    return !reservations().containsAll(before);
  }

  /** Looks for overdue jobs again, and returns them, longest waiting first. */
  List<JobEntry> findOverdue() {
    held = ReservedCapacity.of(jobs, rules, this::reserved);
    return held.overdue();
  }

  /** Repairs and compresses reservations as needed, in an order of their jobs. */
  void repair(Comparator<JobEntry> order) {
    schedule.begin(
        now(),
        reservations().stream()
            .map(reservation -> jobs.get(reservation.job()))
            .sorted(order)
            .map(this::waiting)
            .toList());
  }

  /** Returns an answer about the timeline without the reservations of some waiting jobs. */
  <T> T without(Predicate<JobId> others, Supplier<T> question) {
    if (reservations().stream().noneMatch(claim -> others.test(claim.job()))) {
      return question.get();
    }
    lifted = others;
    try {
      return schedule.without(others, question);
    } finally {
      lifted = none -> false;
    }
  }

  /**
   * Returns true if a job, running or not, may hold a slot beside the reservations that count and
   * all jobs that are still where they were, as far as the cluster says now.
   *
   * @param lifted holds for the waiting jobs whose reservations do not count
   */
  boolean fits(Slot<Placement> slot, Predicate<JobId> lifted) {
    JobId own = slot.placement().job();
    List<Slot<Placement>> gone = new ArrayList<>();
    schedule
        .running()
        .forEach(
            (job, run) -> {
              boolean isThere =
                  jobs.cluster().placement(job).filter(run.placement()::equals).isPresent();
              if (job.equals(own) || !isThere) {
                gone.add(run);
              }
            });
    gone.forEach(timeline::release);
    try {
      return without(lifted, () -> isBesideAll(slot));
    } finally {
      gone.forEach(timeline::hold);
    }
  }

  /** Returns true if a slot is beside all that is held. */
  boolean isBesideAll(Slot<Placement> slot) {
    return holds.asJobOf(slot, () -> timeline.fits(slot));
  }

  /**
   * Notes that a job has started in a slot in nobody's way; returns true if it is expected to end
   * at another time than was planned, as on faster GPUs.
   */
  boolean start(JobEntry job, Slot<Placement> slot) {
    schedule.start(job.id(), slot);
    ends.started(job, slot);
    return ends.end(job) != slot.window().end();
  }

  /** Returns the expected ends of running jobs. */
  ExpectedEnds ends() {
    return ends;
  }

  /** Returns the reservations and the slots of running jobs; live. */
  BackfillSchedule<JobSpec, Placement> schedule() {
    return schedule;
  }

  /** Returns the quotas over time, beside the reservations that count now. */
  QuotaOverTime quotas() {
    return new QuotaOverTime(
        jobs,
        () -> reservations().stream().filter(claim -> !lifted.test(claim.job())).toList(),
        schedule.running());
  }

  private Optional<Placement> reserved(JobId job) {
    return schedule.reservation(job).map(reservation -> reservation.slot().placement());
  }

  /** Returns a waiting job as the timeline sees it. */
  WaitingJob<JobSpec> waiting(JobEntry job) {
    return new WaitingJob<>(
        job.id(),
        job.job(),
        held.passes(job) && advance.isEmpty() ? 1 : Math.max(1, ends.left(job, jobs.now())));
  }

  /** Returns true if more than growth of capacity may let a job start that found no start. */
  boolean dependsOnMore() {
    return rules.holdsAfter().isPresent() || !advance.isEmpty() || jobs.quotas().hasQueueTree();
  }

  /** Returns true if a job might start now if nothing were reserved for jobs that wait. */
  boolean mayFit(JobEntry job) {
    return within.apply(job).place(jobs.cluster(), job.job()).isPresent()
        || !holds.slotsFor(job.job()).isEmpty();
  }

  /** Notes where reservations have moved away since the last call. */
  void noteMoved() {
    loosened.look(reservations());
  }

  /** Returns this instant. */
  long now() {
    return GpuTime.nanos(jobs.now());
  }

  private static Instant instant(long nanos) {
    return Instant.EPOCH.plusNanos(nanos);
  }
}
