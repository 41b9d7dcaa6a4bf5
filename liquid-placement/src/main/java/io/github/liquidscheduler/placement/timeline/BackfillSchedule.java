package io.github.liquidscheduler.placement.timeline;

import io.github.liquidscheduler.job.JobId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * Idea: reservations are repaired, not planned again. After an early end each is taken out in turn,
 * searched for with all others in place, and moved only if strictly earlier (compression).
 * Invariants: a reservation keeps window and placement until an earlier one is found; without
 * overruns no job starts after its first reservation (BackfillScheduleLaws); running and reserved
 * slots are held in the timeline.
 * Cost: a pass takes one Timeline.earliest for each job that may hold a reservation, one
 * Timeline.place for each other; after a job of a kind failed, longer ones of the kind are skipped.
 * Rejected: planning all in the order of the queue, which breaks promises (docs/decisions.md).
 * Source: Lifka 1995, The ANL/IBM SP scheduling system (EASY); Mu'alem and Feitelson 2001,
 * Utilization, predictability, workloads, and user runtime estimates (conservative, compression).
 */
/**
 * Backfill with reservations over a {@link Timeline}. The caller reports ends and overruns, and
 * calls {@link #pass} at each instant with an event or at {@link #nextStart}.
 *
 * <p>If no job outlives its prediction, no job starts after its first reservation, whatever the
 * topology and the number of reservations. An overrun moves the reservations that it makes
 * impossible and those behind the first of them.
 *
 * <p>Mutable, not thread-safe.
 *
 * @param <G> the request of a gang
 * @param <P> the placements
 */
public final class BackfillSchedule<G, P> {

  private final Timeline<G, P> timeline;
  private final BackfillRule rule;
  private final Map<JobId, Slot<P>> running = new LinkedHashMap<>();
  private final Reservations<G, P> reservations;
  private boolean isRepairDue;
  private boolean isCompressionDue;

  /**
   * Makes a schedule without jobs.
   *
   * @param timeline the timeline, with the holdings of others; kept and changed
   */
  public BackfillSchedule(Timeline<G, P> timeline, BackfillRule rule) {
    this.timeline = Objects.requireNonNull(timeline, "timeline");
    this.rule = Objects.requireNonNull(rule, "rule");
    reservations = new Reservations<>(timeline);
  }

  /**
   * Takes over the decisions of another schedule after a pass, before anything is noted.
   *
   * @param runs the slots of running jobs
   * @param reserved the reservations of waiting jobs
   */
  public void resume(Map<JobId, Slot<P>> runs, List<Reservation<P>> reserved) {
    runs.values().forEach(timeline::hold);
    running.putAll(runs);
    reserved.forEach(reservations::hold);
  }

  /** Notes that nodes were added or removed, or changed their health. */
  public void clusterChanged() {
    isRepairDue = true;
    isCompressionDue = true;
  }

  /** Notes that others hold more of the timeline than before. */
  public void othersHold() {
    isRepairDue = true;
  }

  /**
   * Notes that others have released holdings from an instant on, which matters only to reservations
   * that end later.
   */
  public void othersGaveUp(long from) {
    isCompressionDue |=
        reservations.all().stream().anyMatch(each -> each.slot().window().end() > from);
  }

  /** Returns an answer about the timeline without reservations of waiting jobs. */
  public <T> T withoutReservations(Supplier<T> question) {
    List<Reservation<P>> held = reservations.all();
    held.forEach(each -> timeline.release(each.slot()));
    try {
      return question.get();
    } finally {
      held.forEach(each -> timeline.hold(each.slot()));
    }
  }

  /**
   * Notes that a job runs that no pass has started.
   *
   * @throws IllegalStateException if it runs already
   */
  public void started(JobId job, Slot<P> slot) {
    if (running.putIfAbsent(job, slot) != null) {
      throw new IllegalStateException("job '" + job + "' runs already");
    }
    reservations.cancel(job);
    timeline.hold(slot);
    isRepairDue = true;
  }

  /**
   * Notes that a running job has ended.
   *
   * @throws IllegalStateException if it does not run
   */
  public void ended(JobId job, long now) {
    Slot<P> slot = requireRunning(job);
    timeline.release(slot);
    running.remove(job);
    isCompressionDue |= now < slot.window().end();
  }

  /**
   * Notes a new predicted end of a running job, such as when it overruns.
   *
   * @throws IllegalArgumentException if the end is not after its start
   * @throws IllegalStateException if it does not run
   */
  public void predictedEnd(JobId job, long end) {
    Slot<P> slot = requireRunning(job);
    Slot<P> changed = new Slot<>(new TimeWindow(slot.window().start(), end), slot.placement());
    timeline.release(slot);
    timeline.hold(changed);
    running.put(job, changed);
    isRepairDue |= end > slot.window().end();
    isCompressionDue |= end < slot.window().end();
  }

  /** Notes that a waiting job is gone, with a reservation or without. */
  public void cancelled(JobId job) {
    isCompressionDue |= reservations.cancel(job);
  }

  private Slot<P> requireRunning(JobId job) {
    @Nullable Slot<P> slot = running.get(job);
    if (slot == null) {
      throw new IllegalStateException("job '" + job + "' does not run");
    }
    return slot;
  }

  /** Returns the reservation of a waiting job, if it holds one. */
  public Optional<Reservation<P>> reservation(JobId job) {
    return reservations.of(job);
  }

  /** Returns all reservations. */
  public List<Reservation<P>> reservations() {
    return reservations.all();
  }

  /** Returns the first start of a reservation, at which a pass is due; empty if there is none. */
  public OptionalLong nextStart() {
    return reservations.all().stream().mapToLong(Reservation::start).min();
  }

  /**
   * Returns the jobs that start now, in order. The schedule counts them as running from then on.
   *
   * @param now no earlier than anything noted before
   * @param waiting all waiting jobs in the order of the queue
   */
  public List<StartedJob<P>> pass(long now, List<WaitingJob<G>> waiting) {
    List<StartedJob<P>> started = new ArrayList<>();
    pass(now, waiting, any -> true, started::add);
    return started;
  }

  /**
   * As {@link #pass(long, List)}, but reports each job that starts before looking at the next.
   *
   * @param isFree true if a placement is free in fact: a job due to end now may still run. A
   *     reservation whose placement is not free keeps its slot, and may even be made
   */
  public void pass(
      long now, List<WaitingJob<G>> waiting, Predicate<P> isFree, Consumer<StartedJob<P>> starts) {
    timeline.advanceTo(now);
    if (reservations.size() > 0) {
      adapt(now, reservations.holders(waiting));
    }
    isRepairDue = false;
    isCompressionDue = false;
    startReserved(now, waiting, isFree, starts);
    reserve(now, waiting, isFree, starts);
    backfill(now, waiting, starts);
  }

  private void adapt(long now, List<WaitingJob<G>> holders) {
    reservations.repair(now, holders, isRepairDue);
    if (isCompressionDue) {
      reservations.compress(now, reservations.holders(holders));
    }
  }

  private void startReserved(
      long now, List<WaitingJob<G>> waiting, Predicate<P> isFree, Consumer<StartedJob<P>> starts) {
    for (WaitingJob<G> job : waiting) {
      reservations
          .of(job.id())
          .filter(reservation -> reservation.start() == now)
          .filter(reservation -> isFree.test(reservation.slot().placement()))
          .ifPresent(reservation -> starts.accept(start(reservation)));
    }
  }

  private StartedJob<P> start(Reservation<P> reservation) {
    reservations.convert(reservation.job());
    running.put(reservation.job(), reservation.slot());
    return new StartedJob<>(
        reservation.job(), reservation.slot(), OptionalLong.of(reservation.promised()));
  }

  private void reserve(
      long now, List<WaitingJob<G>> waiting, Predicate<P> isFree, Consumer<StartedJob<P>> starts) {
    int holders = 0;
    for (WaitingJob<G> job : waiting) {
      if (holders == rule.reservations()) {
        return;
      }
      if (job.mayReserve() && !isPlanned(job)) {
        timeline
            .earliest(job.gang(), job.length(), now, TimeWindow.FOREVER)
            .ifPresent(
                slot -> {
                  boolean mayStart = slot.window().start() == now && isFree.test(slot.placement());
                  reserveOrStart(job, slot, mayStart, starts);
                });
      }
      holders += reservations.has(job.id()) ? 1 : 0;
    }
  }

  private void reserveOrStart(
      WaitingJob<G> job, Slot<P> slot, boolean mayStart, Consumer<StartedJob<P>> starts) {
    if (mayStart) {
      starts.accept(startWithout(job, slot));
    } else {
      reservations.hold(new Reservation<>(job.id(), slot, slot.window().start()));
    }
  }

  private void backfill(long now, List<WaitingJob<G>> waiting, Consumer<StartedJob<P>> starts) {
    // Never iterated.
    Map<Object, Long> tooLong = new HashMap<>();
    for (WaitingJob<G> job : waiting) {
      if (isPlanned(job) || job.length() >= tooLong.getOrDefault(job.kind(), TimeWindow.FOREVER)) {
        continue;
      }
      TimeWindow window = TimeWindow.of(now, job.length());
      Optional<P> placement = timeline.place(job.gang(), window);
      if (placement.isPresent()) {
        starts.accept(startWithout(job, new Slot<>(window, placement.get())));
      } else if (rule.allowsBypass()) {
        tooLong.put(job.kind(), job.length());
      } else {
        return;
      }
    }
  }

  /** Starts a job that holds no reservation. */
  private StartedJob<P> startWithout(WaitingJob<G> job, Slot<P> slot) {
    timeline.hold(slot);
    running.put(job.id(), slot);
    return new StartedJob<>(job.id(), slot, OptionalLong.empty());
  }

  private boolean isPlanned(WaitingJob<G> job) {
    return running.containsKey(job.id()) || reservations.has(job.id());
  }
}
