package io.github.liquidscheduler.placement.timeline;

import io.github.liquidscheduler.job.JobId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * Idea: reservations are repaired, not planned again. After an early end each is taken out in turn,
 * searched for with all others in place, and moved only if strictly earlier (compression).
 * Invariants: a reservation keeps window and placement until an earlier one is found; without
 * overruns no job starts after its first reservation (BackfillScheduleLaws); running and reserved
 * slots are held in the timeline.
 * Cost: repair and compression take one Timeline.earliest for each reservation at most.
 * Rejected: planning all in the order of the queue, which breaks promises (docs/decisions.md).
 * Source: Lifka 1995, The ANL/IBM SP scheduling system (EASY); Mu'alem and Feitelson 2001,
 * Utilization, predictability, workloads, and user runtime estimates (conservative, compression).
 */
/**
 * The running jobs and the reservations of backfill over a {@link Timeline}. The caller reports
 * ends and overruns, calls {@link #begin} at each instant with an event or at which a reservation
 * starts, and then starts jobs and reserves slots beside all that is held.
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
  private final Map<JobId, Slot<P>> running = new LinkedHashMap<>();
  private final Reservations<G, P> reservations;
  private boolean isRepairDue;
  private boolean isCompressionDue;

  /**
   * Makes a schedule without jobs.
   *
   * @param timeline the timeline, with the holdings of others; kept and changed
   */
  public BackfillSchedule(Timeline<G, P> timeline) {
    this.timeline = Objects.requireNonNull(timeline, "timeline");
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
    reservations.searchAgain();
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
    reservations.searchAgain();
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
    timeline.loosened(slot);
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
    timeline.loosened(slot);
    running.put(job, changed);
    isRepairDue |= end > slot.window().end();
    isCompressionDue |= end < slot.window().end();
  }

  /** Notes that a waiting job is gone, with a reservation or without. */
  public void cancelled(JobId job) {
    isCompressionDue |= reservations.cancel(job);
  }

  /** Returns the slots of running jobs until their predicted ends, by job; live. */
  public Map<JobId, Slot<P>> running() {
    return Collections.unmodifiableMap(running);
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

  /**
   * Starts a waiting job, in its reserved slot or in one in nobody's way, in which case it gives up
   * its reservation.
   */
  public void start(JobId job, Slot<P> slot) {
    if (reservations.of(job).map(Reservation::slot).filter(slot::equals).isPresent()) {
      reservations.convert(job);
    } else {
      cancelled(job);
      timeline.hold(slot);
    }
    running.put(job, slot);
  }
}
