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

  /** Returns an answer about the timeline without the reservations of some waiting jobs. */
  public <T> T without(Predicate<JobId> jobs, Supplier<T> question) {
    List<Reservation<P>> held =
        reservations.all().stream().filter(each -> jobs.test(each.job())).toList();
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
    begin(now, waiting);
    startReserved(now, waiting, isFree, starts);
    reserve(now, waiting, isFree, starts);
    backfill(now, waiting, starts);
  }

  /**
   * Begins an instant: repairs and compresses reservations, as far as what was noted calls for it.
   *
   * @param now no earlier than anything noted before
   * @param waiting all waiting jobs with reservations, and any others, in the order of the queue
   */
  public void begin(long now, List<WaitingJob<G>> waiting) {
    timeline.advanceTo(now);
    if (reservations.size() > 0) {
      adapt(now, reservations.holders(waiting));
    }
    isRepairDue = false;
    isCompressionDue = false;
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
          .map(Reservation::slot)
          .filter(slot -> slot.window().start() == now && isFree.test(slot.placement()))
          .ifPresent(slot -> starts.accept(start(job.id(), slot)));
    }
  }

  private void reserve(
      long now, List<WaitingJob<G>> waiting, Predicate<P> isFree, Consumer<StartedJob<P>> starts) {
    int holders = 0;
    for (WaitingJob<G> job : waiting) {
      if (holders == rule.reservations()) {
        return;
      }
      if (job.mayReserve() && !isPlanned(job)) {
        earliest(job, now)
            .ifPresent(
                slot -> {
                  if (slot.window().start() == now && isFree.test(slot.placement())) {
                    starts.accept(start(job.id(), slot));
                  } else {
                    reserve(job.id(), slot);
                  }
                });
      }
      holders += reservations.has(job.id()) ? 1 : 0;
    }
  }

  /** Returns the earliest slot of a job beside all that is held. */
  public Optional<Slot<P>> earliest(WaitingJob<G> job, long now) {
    return timeline.earliest(job.gang(), job.length(), now, TimeWindow.FOREVER);
  }

  /** Returns a slot of a job that begins now, beside all that is held. */
  public Optional<Slot<P>> atOnce(WaitingJob<G> job, long now) {
    TimeWindow window = TimeWindow.of(now, job.length());
    return timeline.place(job.gang(), window).map(placement -> new Slot<>(window, placement));
  }

  /** Reserves a slot for a waiting job that has no reservation. */
  public void reserve(JobId job, Slot<P> slot) {
    reservations.hold(new Reservation<>(job, slot, slot.window().start()));
  }

  private void backfill(long now, List<WaitingJob<G>> waiting, Consumer<StartedJob<P>> starts) {
    // Never iterated.
    Map<Object, Long> tooLong = new HashMap<>();
    for (WaitingJob<G> job : waiting) {
      if (isPlanned(job) || job.length() >= tooLong.getOrDefault(job.kind(), TimeWindow.FOREVER)) {
        continue;
      }
      Optional<Slot<P>> slot = atOnce(job, now);
      if (slot.isPresent()) {
        starts.accept(start(job.id(), slot.get()));
      } else if (rule.allowsBypass()) {
        tooLong.put(job.kind(), job.length());
      } else {
        return;
      }
    }
  }

  /**
   * Starts a waiting job, in its reserved slot or in one in nobody's way, in which case it gives up
   * its reservation.
   */
  public StartedJob<P> start(JobId job, Slot<P> slot) {
    Optional<Reservation<P>> own = reservations.of(job);
    if (own.filter(reservation -> reservation.slot().equals(slot)).isPresent()) {
      reservations.convert(job);
    } else {
      cancelled(job);
      timeline.hold(slot);
    }
    running.put(job, slot);
    return new StartedJob<>(
        job,
        slot,
        own.map(reservation -> OptionalLong.of(reservation.promised()))
            .orElse(OptionalLong.empty()));
  }

  private boolean isPlanned(WaitingJob<G> job) {
    return running.containsKey(job.id()) || reservations.has(job.id());
  }
}
