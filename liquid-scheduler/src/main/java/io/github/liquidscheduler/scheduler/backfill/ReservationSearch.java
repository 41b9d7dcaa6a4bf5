package io.github.liquidscheduler.scheduler.backfill;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.timeline.BackfillSchedule;
import io.github.liquidscheduler.placement.timeline.PlacementTimeline;
import io.github.liquidscheduler.placement.timeline.Slot;
import io.github.liquidscheduler.placement.timeline.TimeWindow;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduling.AdvanceReservation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds capacity on the timeline for an announced reservation: beside all holds, or displacing
 * reservations of waiting jobs, which then start elsewhere or later.
 *
 * @param runs the slots of running jobs until their expected ends
 */
record ReservationSearch(
    PlacementTimeline timeline,
    BackfillSchedule<JobSpec, Placement> schedule,
    JobTable jobs,
    Map<JobId, Slot<Placement>> runs) {

  /**
   * Returns a slot that ends at {@code until} and starts as early as possible, at {@code from} or
   * at a release; O(log releases) placements.
   */
  Optional<Slot<Placement>> find(JobSpec shape, long from, long until) {
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
  boolean isThere(Slot<Placement> slot, long now) {
    TimeWindow window = new TimeWindow(Math.max(now, slot.window().start()), slot.window().end());
    return Announced.isUp(slot.placement(), jobs.cluster())
        && slot.placement().nodes().stream().allMatch(node -> timeline.isOpen(node, window));
  }

  /**
   * Returns true if a job that may not use the reservation is expected to occupy the slot at its
   * beginning.
   */
  boolean isTaken(Slot<Placement> slot, AdvanceReservation.Capacity reservation) {
    long start = slot.window().start();
    return slot.placement()
        .gpuIds()
        .flatMap(gpu -> jobs.cluster().residents(gpu).stream())
        .map(Resident::job)
        .distinct()
        .anyMatch(
            job -> {
              @Nullable Slot<Placement> run = runs.get(job);
              return run != null
                  && run.window().end() > start
                  && !reservation.isFor(jobs.get(job).job());
            });
  }
}
