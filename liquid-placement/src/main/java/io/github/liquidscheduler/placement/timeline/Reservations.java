package io.github.liquidscheduler.placement.timeline;

import static java.util.Objects.requireNonNull;

import io.github.liquidscheduler.job.JobId;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The reservations of waiting jobs on a timeline, with their repair and compression. Mutable.
 *
 * @param <G> the request of a gang
 * @param <P> the placements
 */
final class Reservations<G, P> {

  private final Timeline<G, P> timeline;
  private final Map<JobId, Reservation<P>> held = new LinkedHashMap<>();
  // The last searches for an earlier slot; never iterated.
  private final Map<JobId, Searched> searched = new HashMap<>();

  /** A search for a gang of a length, when {@code at} slots had been loosened. */
  private record Searched(long at, long length) {}

  Reservations(Timeline<G, P> timeline) {
    this.timeline = timeline;
  }

  int size() {
    return held.size();
  }

  boolean has(JobId job) {
    return held.containsKey(job);
  }

  Optional<Reservation<P>> of(JobId job) {
    return Optional.ofNullable(held.get(job));
  }

  List<Reservation<P>> all() {
    return List.copyOf(held.values());
  }

  /** Holds a slot for a job, whatever else the timeline holds. */
  void hold(Reservation<P> reservation) {
    held.put(reservation.job(), reservation);
    timeline.hold(reservation.slot());
  }

  /** Removes the reservation of a job, and returns true if it held one. */
  boolean cancel(JobId job) {
    @Nullable Reservation<P> reservation = held.remove(job);
    if (reservation != null) {
      timeline.release(reservation.slot());
      timeline.loosened(reservation.slot());
      searched.remove(job);
    }
    return reservation != null;
  }

  /** Turns a reservation into a running job, whose slot the timeline goes on holding. */
  void convert(JobId job) {
    held.remove(job);
    searched.remove(job);
  }

  /** Notes that more than what is loosened may have gangs start earlier. */
  void searchAgain() {
    searched.clear();
  }

  /** Returns the jobs that hold a reservation, in their order. */
  List<WaitingJob<G>> holders(List<WaitingJob<G>> waiting) {
    return waiting.stream().filter(job -> has(job.id())).toList();
  }

  /** Returns the reservation of a job that holds one. */
  private Reservation<P> reserved(WaitingJob<G> job) {
    return of(job.id()).orElseThrow();
  }

  /**
   * Repairs reservations: if some are impossible, all are taken out, and put back in order until
   * one does not fit; that one and all behind it get their earliest slots.
   *
   * @param isOverrun whether some may be impossible for another reason than a missed start
   */
  void repair(long now, List<WaitingJob<G>> holders, boolean isOverrun) {
    boolean isBroken =
        holders.stream().anyMatch(job -> isMissed(job, now) || (isOverrun && isImpossible(job)));
    if (isBroken) {
      Map<JobId, Reservation<P>> taken = new HashMap<>(held);
      holders.forEach(job -> timeline.release(reserved(job).slot()));
      holders.forEach(job -> held.remove(job.id()));
      putBack(now, holders, taken);
    }
  }

  private void putBack(long now, List<WaitingJob<G>> holders, Map<JobId, Reservation<P>> taken) {
    boolean keeps = true;
    for (WaitingJob<G> job : holders) {
      Reservation<P> before = requireNonNull(taken.get(job.id()));
      keeps = keeps && before.start() >= now && timeline.fits(before.slot());
      if (keeps) {
        hold(before);
      } else {
        timeline.loosened(before.slot());
        searched.remove(job.id());
        timeline
            .earliest(job.gang(), job.length(), now, TimeWindow.FOREVER)
            .ifPresent(slot -> hold(before.movedTo(slot)));
      }
    }
  }

  private boolean isMissed(WaitingJob<G> job, long now) {
    return reserved(job).start() < now;
  }

  private boolean isImpossible(WaitingJob<G> job) {
    Slot<P> slot = reserved(job).slot();
    timeline.release(slot);
    boolean fits = timeline.fits(slot);
    timeline.hold(slot);
    return !fits;
  }

  /** Moves each reservation in turn to a strictly earlier slot beside all others, if any. */
  void compress(long now, List<WaitingJob<G>> holders) {
    for (WaitingJob<G> job : holders) {
      Searched search = new Searched(timeline.loosenings(), job.length());
      if (mayBeEarlier(job, now)) {
        Reservation<P> before = reserved(job);
        timeline.release(before.slot());
        Optional<Slot<P>> earlier =
            timeline.earliest(job.gang(), job.length(), now, before.start() - 1);
        hold(earlier.map(before::movedTo).orElse(before));
        earlier.ifPresent(moved -> timeline.loosened(before.slot()));
      }
      searched.put(job.id(), search);
    }
  }

  private boolean mayBeEarlier(WaitingJob<G> job, long now) {
    @Nullable Searched last = searched.get(job.id());
    return last == null
        || job.length() < last.length()
        || timeline.mayBeEarlier(job.gang(), job.length(), now, reserved(job).slot(), last.at());
  }
}
