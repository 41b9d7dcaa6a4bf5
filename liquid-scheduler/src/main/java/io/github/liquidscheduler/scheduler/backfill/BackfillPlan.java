package io.github.liquidscheduler.scheduler.backfill;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.timeline.BackfillRule;
import io.github.liquidscheduler.placement.timeline.BackfillSchedule;
import io.github.liquidscheduler.placement.timeline.PlacementTimeline;
import io.github.liquidscheduler.placement.timeline.Reservation;
import io.github.liquidscheduler.placement.timeline.Slot;
import io.github.liquidscheduler.placement.timeline.StartedJob;
import io.github.liquidscheduler.placement.timeline.TimeWindow;
import io.github.liquidscheduler.placement.timeline.WaitingJob;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.GpuTime;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduling.AdvanceReservation;
import io.github.liquidscheduler.scheduling.JobStatus.Outcome;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.ReservationId;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The reservations of waiting jobs, and when the running ones are expected to end. Only the
 * reservations are state; all else follows from the jobs and is brought up to date before each
 * {@link #pass}, O(running jobs).
 *
 * <p>Times are nanoseconds since the epoch.
 */
public final class BackfillPlan {

  private final Backfill rules;
  private final Function<JobTable, Placer> placers;
  private final Placer placer;
  private final JobTable jobs;
  private final Map<JobId, Slot<Placement>> runs = new LinkedHashMap<>();
  // Never iterated.
  private final Map<JobId, JobSpec> specs = new HashMap<>();
  private BackfillSchedule<JobSpec, Placement> schedule;
  private RunTimes runTimes = new RunTimes();
  private ReservedCapacity held;
  private List<Reservation<Placement>> before = List.of();
  private AdvanceReservations advance = new AdvanceReservations(List.of());
  private List<Announced> announcedBefore = List.of();
  private PlacementTimeline timeline;
  private ReservationHolds holds;

  /**
   * Makes the plan of jobs of whom none waits or runs.
   *
   * @param placers what finds placements for the jobs of a table
   */
  public BackfillPlan(Backfill rules, Function<JobTable, Placer> placers, JobTable jobs) {
    this.rules = rules;
    this.placers = placers;
    placer = placers.apply(jobs);
    this.jobs = jobs;
    held = ReservedCapacity.of(jobs, rules, this::reserved);
    timeline = new PlacementTimeline(idle(), placer);
    holds = new ReservationHolds(timeline, jobs);
    schedule = resumed(List.of());
  }

  /** Returns what is announced to be reserved; live. */
  public AdvanceReservations advance() {
    return advance;
  }

  /** Returns a plan equal to this one for a table that is a copy of its own. */
  public BackfillPlan copy(JobTable copied) {
    return of(copied, runTimes.copy(), reservations(), advance.all());
  }

  /** Begins a turn, to the reservations before which {@link #asBefore} goes back. */
  public void begin() {
    before = reservations();
    announcedBefore = advance.all();
    runTimes.takeIn();
  }

  /** Returns the plan as it was when the turn began, for a table that is as it was then. */
  public BackfillPlan asBefore(JobTable then) {
    return of(then, runTimes.asBefore(), before, announcedBefore);
  }

  private BackfillPlan of(
      JobTable table,
      RunTimes known,
      List<Reservation<Placement>> reservations,
      List<Announced> announced) {
    BackfillPlan other = new BackfillPlan(rules, placers, table);
    other.runTimes = known;
    other.advance = new AdvanceReservations(announced);
    other.schedule = other.resumed(reservations);
    return other;
  }

  /** Writes how long jobs ran. */
  public void saveRunTimes(SnapshotSection.Builder section) {
    runTimes.save(section);
  }

  /** Goes on with what was announced before; to be told before {@link #resume}. */
  public void resumeAnnounced(List<Announced> announced) {
    advance = new AdvanceReservations(announced);
  }

  /** Goes on with these reservations, with the jobs that run now, and with saved run times. */
  public void resume(List<Reservation<Placement>> reservations, SnapshotSection.Reader saved) {
    runTimes = RunTimes.load(saved);
    schedule = resumed(reservations);
  }

  /** Returns all reservations, in the order in which they were first made. */
  public List<Reservation<Placement>> reservations() {
    return schedule.reservations();
  }

  /** Returns when waiting jobs are to start as things stand for which places are reserved. */
  public Map<JobId, Instant> starts() {
    Map<JobId, Instant> starts = new LinkedHashMap<>();
    reservations().forEach(each -> starts.put(each.job(), instant(each.start())));
    return Collections.unmodifiableMap(starts);
  }

  /** Returns when a waiting job is to start as things stand, if a place is reserved for it. */
  public Optional<Instant> start(JobId job) {
    return schedule.reservation(job).map(reservation -> instant(reservation.start()));
  }

  /**
   * Returns the first reservation in the way of which a waiting job would be, where it would start
   * now if there were none; empty if it fits nowhere.
   */
  public Optional<UnmetConstraint> inTheWayOf(JobEntry job) {
    ReservedCapacity capacity = ReservedCapacity.of(jobs, rules, this::reserved);
    if (capacity.keepsOut(job)) {
      JobId holder = capacity.holder().orElseThrow().id();
      return Optional.of(InTheWay.ofJob(holder, start(holder).orElse(jobs.now())));
    }
    TimeWindow window = TimeWindow.of(now(), waiting(job).length());
    return placer
        .place(jobs.cluster(), job.job())
        .map(placement -> new InTheWay(job.job(), placement, window))
        .flatMap(start -> start.of(reservations(), advance.all()));
  }

  /**
   * Returns when a reservation begins or, if there is any, a running job is expected to end,
   * whichever is first after the present.
   */
  public Optional<Instant> nextWakeUp() {
    List<Reservation<Placement>> reserved = reservations();
    long now = now();
    long next = ReservedCapacity.nextDue(jobs, rules, now, TimeWindow.FOREVER);
    if (reserved.isEmpty()) {
      return next == TimeWindow.FOREVER ? Optional.empty() : Optional.of(instant(next));
    }
    for (Reservation<Placement> reservation : reserved) {
      next = reservation.start() > now ? Math.min(next, reservation.start()) : next;
    }
    for (Slot<Placement> run : runs.values()) {
      next = run.window().end() > now ? Math.min(next, run.window().end()) : next;
    }
    return next == TimeWindow.FOREVER ? Optional.empty() : Optional.of(instant(next));
  }

  /** Takes in that nodes have come, gone, or changed their health. */
  public void clusterChanged() {
    ClusterTopology topology = jobs.cluster().topology();
    List<Reservation<Placement>> possible =
        reservations().stream()
            .filter(reservation -> areThere(reservation.slot().placement(), topology))
            .toList();
    for (Announced each : advance.all()) {
      if (each.slot().filter(slot -> !areThere(slot.placement(), topology)).isPresent()) {
        advance.keep(each.id(), Optional.empty());
      }
    }
    schedule = resumed(possible);
    schedule.clusterChanged();
  }

  private static boolean areThere(Placement placement, ClusterTopology topology) {
    return placement.nodes().stream().allMatch(topology::contains);
  }

  private BackfillSchedule<JobSpec, Placement> resumed(List<Reservation<Placement>> reservations) {
    runs.clear();
    specs.clear();
    long now = now();
    jobs.running().inOrder().forEach(job -> enter(job, now));
    timeline = new PlacementTimeline(idle(), placer);
    holds = new ReservationHolds(timeline, jobs);
    holds.hold(advance.all(), List.of(), any -> {});
    BackfillSchedule<JobSpec, Placement> resumed =
        new BackfillSchedule<>(
            new StartingTimeline(timeline, holds, placer, jobs, () -> held),
            BackfillRule.reserving(rules.reservations()));
    resumed.resume(runs, reservations);
    return resumed;
  }

  private ClusterState idle() {
    ClusterState cluster = jobs.cluster();
    ClusterState idle = cluster.idle(cluster.topology());
    idle.copyHealth(cluster);
    return idle;
  }

  /** Takes in who has ended, started, moved, or changed their expected ends since the last pass. */
  public void bringUpToDate() {
    long now = now();
    Iterator<Map.Entry<JobId, Slot<Placement>>> known = runs.entrySet().iterator();
    while (known.hasNext()) {
      Map.Entry<JobId, Slot<Placement>> run = known.next();
      @Nullable JobEntry job = jobs.find(run.getKey());
      if (job == null || !job.isRunning() || hasMoved(job, run.getValue())) {
        schedule.ended(run.getKey(), now);
        observe(run.getKey(), now - run.getValue().window().start());
        known.remove();
      }
    }
    for (JobEntry job : jobs.running().inOrder()) {
      @Nullable Slot<Placement> run = runs.get(job.id());
      long end = end(job, now);
      if (run == null) {
        schedule.started(job.id(), enter(job, now));
      } else if (run.window().end() != end) {
        schedule.predictedEnd(job.id(), end);
        enter(job, now);
      }
    }
  }

  /** Forgets what has ended, holds what was announced, and finds room where some is missing. */
  public void arrange() {
    long now = now();
    advance.remove(each -> each.until() <= now || isForNobodyAnyMore(each));
    hold(schedule::othersGaveUp);
    for (Announced each : advance.all()) {
      if (each.reservation() instanceof AdvanceReservation.Capacity reservation) {
        arrange(each, reservation, now);
      }
    }
  }

  private boolean isForNobodyAnyMore(Announced each) {
    return each.reservation() instanceof AdvanceReservation.Capacity reservation
        && reservation.queue().isEmpty()
        && reservation.jobs().stream().allMatch(job -> jobs.ended().ending(job).isPresent());
  }

  private void hold(LongConsumer gaveUp) {
    List<Slot<Placement>> slots = new ArrayList<>(runs.values());
    reservations().forEach(each -> slots.add(each.slot()));
    if (holds.hold(advance.all(), slots, gaveUp)) {
      schedule.othersHold();
    }
  }

  private void arrange(Announced each, AdvanceReservation.Capacity reservation, long now) {
    ReservationSearch search = new ReservationSearch(timeline, schedule, jobs, runs);
    Optional<Slot<Placement>> known = each.slot().filter(kept -> search.isThere(kept, now));
    long from = Math.max(now, each.window().start());
    boolean isLate = known.filter(kept -> kept.window().start() <= from).isEmpty();
    boolean isTaken =
        known
            .filter(kept -> kept.window().start() > now && search.isTaken(kept, reservation))
            .isPresent();
    if (isLate || isTaken) {
      advance.keep(each.id(), Optional.empty());
      hold(any -> {});
      Optional<Slot<Placement>> found =
          search
              .find(reservation.shape(), from, each.until())
              .filter(slot -> known.isEmpty() || isBetter(slot, known.get(), isTaken));
      if (found.isEmpty() && known.isPresent()) {
        advance.putBack(each);
      } else {
        advance.keep(each.id(), found);
      }
      hold(any -> {});
      if (found.isPresent()) {
        each.slot().ifPresent(kept -> schedule.othersGaveUp(kept.window().start()));
      }
    }
  }

  /** Returns whether a room is kept from earlier on, or as early and the other one is taken. */
  private static boolean isBetter(
      Slot<Placement> slot, Slot<Placement> other, boolean isOtherTaken) {
    return isOtherTaken
        ? slot.window().start() <= other.window().start()
        : slot.window().start() < other.window().start();
  }

  private void observe(JobId job, long length) {
    JobSpec spec = Objects.requireNonNull(specs.remove(job));
    if (jobs.ended().ending(job).filter(Outcome.FINISHED::equals).isPresent()) {
      runTimes.observe(spec, length);
    }
  }

  private static boolean hasMoved(JobEntry job, Slot<Placement> run) {
    return !job.placement().orElseThrow().equals(run.placement())
        || GpuTime.nanos(job.since()) != run.window().start();
  }

  private Slot<Placement> enter(JobEntry job, long now) {
    Slot<Placement> slot = slot(job, now);
    runs.put(job.id(), slot);
    specs.put(job.id(), job.job());
    return slot;
  }

  private Slot<Placement> slot(JobEntry job, long now) {
    return new Slot<>(
        new TimeWindow(GpuTime.nanos(job.since()), end(job, now)), job.placement().orElseThrow());
  }

  /**
   * Returns when a running job is expected to end: as long as it outlives that, after twice the
   * time that was expected before.
   */
  private long end(JobEntry job, long now) {
    long start = GpuTime.nanos(job.since());
    long length = Math.max(1, GpuTime.cappedSum(expectedEnd(job), -start));
    while (length < now - start) {
      length = GpuTime.cappedSum(length, length);
    }
    return GpuTime.cappedSum(start, length);
  }

  private long expectedEnd(JobEntry job) {
    Instant known = job.knownAt();
    return GpuTime.cappedSum(GpuTime.nanos(known), left(job, known));
  }

  /** Gives up what is reserved for a job that asks for something else from now on. */
  public void updated(JobId job) {
    schedule.cancelled(job);
  }

  /** Gives up what is reserved for jobs that wait no longer, or must not be tried. */
  private void cancel(Map<JobId, JobEntry> waiting) {
    for (Reservation<Placement> reservation : reservations()) {
      if (!waiting.containsKey(reservation.job())) {
        schedule.cancelled(reservation.job());
      }
    }
  }

  /** Starts those who may, in the order of their turns; the table is up to date after each. */
  public void pass(BiConsumer<JobEntry, StartedJob<Placement>> starts) {
    while (passOnce(starts)) {
      bringUpToDate();
    }
  }

  /** Returns whether somebody started in whose way reservations were not looked at. */
  private boolean passOnce(BiConsumer<JobEntry, StartedJob<Placement>> starts) {
    long now = now();
    held = ReservedCapacity.of(jobs, rules, this::reserved);
    Map<JobId, JobEntry> waiting = new LinkedHashMap<>();
    held.overdue().forEach(job -> waiting.put(job.id(), job));
    jobs.eligible().inOrder().forEach(job -> waiting.putIfAbsent(job.id(), job));
    cancel(waiting);
    List<JobId> passed = new ArrayList<>();
    schedule.pass(
        now,
        waiting.values().stream().map(this::waiting).toList(),
        jobs.cluster()::fits,
        started -> {
          JobEntry job = Objects.requireNonNull(waiting.get(started.job()));
          starts.accept(job, started);
          runs.put(started.job(), started.slot());
          specs.put(started.job(), job.job());
          if (held.passes(job)) {
            passed.add(job.id());
          }
        });
    return !passed.isEmpty();
  }

  private Optional<Placement> reserved(JobId job) {
    return schedule.reservation(job).map(reservation -> reservation.slot().placement());
  }

  private WaitingJob<JobSpec> waiting(JobEntry job) {
    return new WaitingJob<>(
        job.id(),
        job.job(),
        held.passes(job) && advance.isEmpty() ? 1 : Math.max(1, left(job, jobs.now())),
        job.job().gpus() >= rules.leastGpus(),
        kind(job));
  }

  private Object kind(JobEntry job) {
    List<ReservationId> usable =
        advance.all().stream()
            .map(Announced::reservation)
            .filter(
                each ->
                    each instanceof AdvanceReservation.Capacity reserved
                        && reserved.isFor(job.job()))
            .map(AdvanceReservation::id)
            .toList();
    return usable.isEmpty() ? job.placementClass() : List.of(job.placementClass(), usable);
  }

  /** Returns how long a job has still to run: as expected, as others like it ran, or as assumed. */
  private long left(JobEntry job, Instant at) {
    Optional<Duration> remaining = job.at(at).remaining();
    return remaining.isPresent()
        ? GpuTime.nanos(GpuTime.divided(remaining.get(), speed(job)))
        : runTimes.expected(job.job()).orElse(GpuTime.nanos(rules.assumedRunTime()));
  }

  /** Returns how fast a job is where it runs; one that waits, on the slowest GPUs it may get. */
  private double speed(JobEntry job) {
    return job.isRunning() || jobs.speeds().isEmpty()
        ? job.gpuSpeed()
        : jobs.speeds().get().slowest(job.job(), job.gpuSpeeds(), jobs.cluster().topology());
  }

  private long now() {
    return GpuTime.nanos(jobs.now());
  }

  private static Instant instant(long nanos) {
    return Instant.EPOCH.plusNanos(nanos);
  }
}
