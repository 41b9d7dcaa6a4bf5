package io.github.liquidscheduler.lab.reference.backfill;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.timeline.BackfillSchedule;
import io.github.liquidscheduler.placement.timeline.Reservation;
import io.github.liquidscheduler.placement.timeline.Slot;
import io.github.liquidscheduler.placement.timeline.TimeWindow;
import io.github.liquidscheduler.placement.timeline.WaitingJob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * The rule by which jobs may start behind one that does not fit, and the number of reservations.
 *
 * @param reservations the number of waiting jobs that hold one, the first of the queue; from 0. A
 *     job keeps its reservation when others come before it
 * @param allowsBypass whether jobs without one may start if no reservation is in the way
 */
public record BackfillRule(int reservations, boolean allowsBypass) {

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException if {@code reservations} is negative
   */
  public BackfillRule {
    if (reservations < 0) {
      throw new IllegalArgumentException(
          "reservations must be at least 0, but were " + reservations);
    }
  }

  /** Returns first in, first out: no job starts before the head of the queue. */
  public static BackfillRule fifo() {
    return new BackfillRule(0, false);
  }

  /** Returns first in, first out with bypass: any job that fits starts, and nothing is reserved. */
  public static BackfillRule bestEffortFifo() {
    return new BackfillRule(0, true);
  }

  /** Returns EASY backfill: the head of the queue holds a reservation (Lifka 1995). */
  public static BackfillRule easy() {
    return reserving(1);
  }

  /** Returns backfill around reservations of the first jobs of the queue. */
  public static BackfillRule reserving(int reservations) {
    return new BackfillRule(reservations, true);
  }

  /** Returns conservative backfill: every job holds one (Mu'alem and Feitelson 2001). */
  public static BackfillRule conservative() {
    return reserving(Integer.MAX_VALUE);
  }

  /** Returns the first start of a reservation, at which a pass is due; empty if there is none. */
  static OptionalLong nextStart(BackfillSchedule<?, ?> schedule) {
    return schedule.reservations().stream().mapToLong(Reservation::start).min();
  }

  /**
   * Returns the jobs that start now, in order. The schedule counts them as running from then on.
   *
   * @param now no earlier than anything noted before
   * @param waiting all waiting jobs in the order of the queue
   */
  <G, P> List<StartedJob<P>> pass(
      BackfillSchedule<G, P> schedule, long now, List<WaitingJob<G>> waiting) {
    return pass(schedule, now, waiting, any -> true);
  }

  /**
   * As {@link #pass(BackfillSchedule, long, List)}, where a job due to end now may still run.
   *
   * @param isFree true if a placement is free in fact. A reservation whose placement is not free
   *     keeps its slot, and may even be made
   */
  <G, P> List<StartedJob<P>> pass(
      BackfillSchedule<G, P> schedule, long now, List<WaitingJob<G>> waiting, Predicate<P> isFree) {
    schedule.begin(now, waiting);
    Pass<G, P> pass = new Pass<>(schedule, now, isFree);
    waiting.forEach(pass::startReserved);
    reserve(pass, waiting);
    backfill(pass, waiting);
    return pass.started;
  }

  private <G, P> void reserve(Pass<G, P> pass, List<WaitingJob<G>> waiting) {
    int holders = 0;
    for (WaitingJob<G> job : waiting) {
      if (holders == reservations) {
        return;
      }
      if (job.mayReserve() && !pass.isPlanned(job)) {
        pass.reserve(job);
      }
      holders += pass.schedule.reservation(job.id()).isPresent() ? 1 : 0;
    }
  }

  /** After a job of a kind did not fit, no longer one of the kind is tried. */
  private <G, P> void backfill(Pass<G, P> pass, List<WaitingJob<G>> waiting) {
    // Never iterated.
    Map<Object, Long> tooLong = new HashMap<>();
    for (WaitingJob<G> job : waiting) {
      if (pass.isPlanned(job)
          || job.length() >= tooLong.getOrDefault(job.kind(), TimeWindow.FOREVER)) {
        continue;
      }
      Optional<Slot<P>> slot = pass.schedule.atOnce(job, pass.now);
      if (slot.isPresent()) {
        pass.start(job.id(), slot.get());
      } else if (allowsBypass) {
        tooLong.put(job.kind(), job.length());
      } else {
        return;
      }
    }
  }

  /** The jobs that start in one pass. */
  private static final class Pass<G, P> {
    private final BackfillSchedule<G, P> schedule;
    private final long now;
    private final Predicate<P> isFree;
    private final List<StartedJob<P>> started = new ArrayList<>();

    Pass(BackfillSchedule<G, P> schedule, long now, Predicate<P> isFree) {
      this.schedule = schedule;
      this.now = now;
      this.isFree = isFree;
    }

    boolean isPlanned(WaitingJob<G> job) {
      return schedule.reservation(job.id()).isPresent()
          || started.stream().anyMatch(start -> start.job().equals(job.id()));
    }

    void startReserved(WaitingJob<G> job) {
      schedule
          .reservation(job.id())
          .map(Reservation::slot)
          .filter(this::isDue)
          .ifPresent(slot -> start(job.id(), slot));
    }

    void reserve(WaitingJob<G> job) {
      Optional<Slot<P>> slot = schedule.earliest(job, now);
      if (slot.filter(this::isDue).isPresent()) {
        start(job.id(), slot.get());
      } else {
        slot.ifPresent(later -> schedule.reserve(job.id(), later));
      }
    }

    private boolean isDue(Slot<P> slot) {
      return slot.window().start() == now && isFree.test(slot.placement());
    }

    void start(JobId job, Slot<P> slot) {
      OptionalLong promised =
          schedule.reservation(job).stream().mapToLong(Reservation::promised).findAny();
      schedule.start(job, slot);
      started.add(new StartedJob<>(job, slot, promised));
    }
  }
}
