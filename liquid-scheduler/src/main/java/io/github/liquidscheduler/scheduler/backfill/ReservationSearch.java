package io.github.liquidscheduler.scheduler.backfill;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.cluster.TaskPlacement;
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
 * Finds room on the timeline for a reservation that is announced: beside all that is held, or where
 * only jobs are in the way that wait and can start elsewhere or later.
 *
 * @param runs where jobs run, and until when they are expected to
 */
record ReservationSearch(
    PlacementTimeline timeline,
    BackfillSchedule<JobSpec, Placement> schedule,
    JobTable jobs,
    Map<JobId, Slot<Placement>> runs) {

  /**
   * Returns room until a time from the earliest instant on at which there is some: at once, or when
   * something is released. O(log releases) placements.
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
        .or(() -> schedule.withoutReservations(() -> timeline.place(shape, window)))
        .map(placement -> new Slot<>(window, placement));
  }

  /** Returns whether all that a room holds is up, and closed at no time of it from now on. */
  boolean isThere(Slot<Placement> slot, long now) {
    TimeWindow window = new TimeWindow(Math.max(now, slot.window().start()), slot.window().end());
    return Announced.isUp(slot.placement(), jobs.cluster())
        && slot.placement().nodes().stream().allMatch(node -> timeline.isOpen(node, window));
  }

  /** Returns whether a job that may not use a room is expected to be there when it begins. */
  boolean isTaken(Slot<Placement> slot, AdvanceReservation.Capacity reservation) {
    long start = slot.window().start();
    return slot.placement().tasks().stream()
        .flatMap(task -> gpus(task).stream())
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

  private static List<GpuId> gpus(TaskPlacement task) {
    return task.gpus().stream().map(gpu -> new GpuId(task.node(), gpu)).toList();
  }
}
