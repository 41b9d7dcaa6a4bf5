package io.github.liquidscheduler.scheduler.backfill;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.timeline.BackfillSchedule;
import io.github.liquidscheduler.placement.timeline.PlacementTimeline;
import io.github.liquidscheduler.placement.timeline.Slot;
import io.github.liquidscheduler.placement.timeline.TimeWindow;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduling.AdvanceReservation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds capacity on the timeline for announced reservations: beside all holds, or displacing
 * reservations of waiting jobs, which then start elsewhere or later.
 */
record ReservationSearch(
    AdvanceReservations advance,
    PlacementTimeline timeline,
    ReservationHolds holds,
    BackfillSchedule<JobSpec, Placement> schedule,
    JobTable jobs) {

  /**
   * Drops ended reservations, holds the announced ones, and searches capacity for those without.
   */
  void arrange() {
    long now = GpuTime.nanos(jobs.now());
    advance.remove(each -> each.until() <= now || isObsolete(each));
    hold(schedule::othersGaveUp);
    for (Announced each : advance.all()) {
      if (each.reservation() instanceof AdvanceReservation.Capacity reservation) {
        arrange(each, reservation, now);
      }
    }
  }

  private boolean isObsolete(Announced each) {
    return each.reservation() instanceof AdvanceReservation.Capacity reservation
        && reservation.queue().isEmpty()
        && reservation.jobs().stream().allMatch(job -> jobs.ended().ending(job).isPresent());
  }

  private void hold(LongConsumer gaveUp) {
    List<Slot<Placement>> slots = new ArrayList<>(schedule.running().values());
    schedule.reservations().forEach(each -> slots.add(each.slot()));
    if (holds.hold(advance.all(), slots, gaveUp)) {
      schedule.othersHold();
    }
  }

  private void arrange(Announced each, AdvanceReservation.Capacity reservation, long now) {
    Optional<Slot<Placement>> known = each.slot().filter(kept -> isThere(kept, now));
    long from = Math.max(now, each.window().start());
    boolean isLate = known.filter(kept -> kept.window().start() <= from).isEmpty();
    boolean isTaken =
        known.filter(kept -> kept.window().start() > now && isTaken(kept, reservation)).isPresent();
    if (isLate || isTaken) {
      advance.keep(each.id(), Optional.empty());
      hold(any -> {});
      Optional<Slot<Placement>> found =
          find(reservation.shape(), from, each.until())
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

  /** Returns true if a slot begins earlier than another, or no later if that one is occupied. */
  private static boolean isBetter(
      Slot<Placement> slot, Slot<Placement> other, boolean isOtherTaken) {
    return isOtherTaken
        ? slot.window().start() <= other.window().start()
        : slot.window().start() < other.window().start();
  }

  /**
   * Returns a slot that ends at {@code until} and starts as early as possible, at {@code from} or
   * at a release; O(log releases) placements.
   */
  private Optional<Slot<Placement>> find(JobSpec shape, long from, long until) {
    List<Long> times = new ArrayList<>();
    times.add(from);
    times.addAll(timeline.releases(from, until - 1));
    Optional<Slot<Placement>> earliest = at(shape, from, until);
    int low = 1;
    int high = earliest.isPresent() ? 1 : times.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      Optional<Slot<Placement>> found = at(shape, times.get(middle), until);
      earliest = found.isPresent() ? found : earliest;
      low = found.isPresent() ? low : middle + 1;
      high = found.isPresent() ? middle : high;
    }
    return earliest;
  }

  private Optional<Slot<Placement>> at(JobSpec shape, long from, long until) {
    TimeWindow window = new TimeWindow(from, until);
    return timeline
        .place(shape, window)
        .or(() -> schedule.without(any -> true, () -> timeline.place(shape, window)))
        .map(placement -> new Slot<>(window, placement));
  }

  /** Returns true if the whole slot is up and open from now on. */
  private boolean isThere(Slot<Placement> slot, long now) {
    TimeWindow window = new TimeWindow(Math.max(now, slot.window().start()), slot.window().end());
    return Announced.isUp(slot.placement(), jobs.cluster())
        && slot.placement().nodes().stream().allMatch(node -> timeline.isOpen(node, window));
  }

  /**
   * Returns true if a job that may not use the reservation is expected to occupy the slot at its
   * beginning.
   */
  private boolean isTaken(Slot<Placement> slot, AdvanceReservation.Capacity reservation) {
    long start = slot.window().start();
    return slot.placement()
        .gpuIds()
        .flatMap(gpu -> jobs.cluster().residents(gpu).stream())
        .map(Resident::job)
        .distinct()
        .anyMatch(
            job -> {
              @Nullable Slot<Placement> run = schedule.running().get(job);
              return run != null
                  && run.window().end() > start
                  && !reservation.isFor(jobs.get(job).job());
            });
  }
}
