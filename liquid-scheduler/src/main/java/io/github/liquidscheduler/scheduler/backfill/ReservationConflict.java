package io.github.liquidscheduler.scheduler.backfill;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.timeline.Reservation;
import io.github.liquidscheduler.placement.timeline.Slot;
import io.github.liquidscheduler.placement.timeline.TimeWindow;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduling.AdvanceReservation;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds the earliest reservation that keeps a waiting job from starting now.
 *
 * @param job the job
 * @param placement where it would start without reservations
 * @param window from now until its expected end
 */
record ReservationConflict(JobSpec job, Placement placement, TimeWindow window) {

  /** A conflicting reservation: its start and its description. */
  private record Obstacle(long start, String scope) {}

  /** Returns the constraint that another job's planned start imposes. */
  static UnmetConstraint ofJob(JobId other, Instant start) {
    return unmet(scope(other, start));
  }

  private static String scope(JobId other, Instant start) {
    return "job '%s' is to start at %s".formatted(other, start);
  }

  private static UnmetConstraint unmet(String scope) {
    return new UnmetConstraint(Constraint.RESERVATION, scope, 1, 0, Optional.empty());
  }

  Optional<UnmetConstraint> of(List<Reservation<Placement>> waiting, List<Announced> announced) {
    Stream<Obstacle> obstacles =
        Stream.concat(
            waiting.stream().map(this::waiting).flatMap(Optional::stream),
            announced.stream().map(this::announced).flatMap(Optional::stream));
    return obstacles
        .min(Comparator.comparingLong(Obstacle::start))
        .map(first -> unmet(first.scope()));
  }

  private Optional<Obstacle> waiting(Reservation<Placement> other) {
    JobId id = other.job();
    return meets(other.slot()) && !id.equals(job.id())
        ? Optional.of(new Obstacle(other.start(), scope(id, GpuTime.instant(other.start()))))
        : Optional.empty();
  }

  private Optional<Obstacle> announced(Announced each) {
    return switch (each.reservation()) {
      case AdvanceReservation.Maintenance maintenance ->
          maintenance.nodes().stream()
              .filter(node -> placement.nodes().contains(node))
              .findFirst()
              .filter(node -> window.overlaps(each.window()))
              .map(
                  node ->
                      obstacle(
                          each,
                          each.window().start(),
                          "node '%s' is reserved for maintenance".formatted(node)));
      case AdvanceReservation.Capacity reserved ->
          each.slot()
              .filter(kept -> meets(kept) && !reserved.isFor(job))
              .map(
                  kept ->
                      obstacle(each, kept.window().start(), "capacity there is kept for others"));
    };
  }

  private Obstacle obstacle(Announced each, long start, String what) {
    return new Obstacle(
        start,
        "%s from %s until %s, by reservation '%s'; this job may run until %s"
            .formatted(
                what,
                GpuTime.instant(start),
                each.reservation().until(),
                each.id(),
                window.end() == TimeWindow.FOREVER ? "any time" : GpuTime.instant(window.end())));
  }

  private boolean meets(Slot<Placement> other) {
    return other.window().overlaps(window)
        && other.placement().nodes().stream().anyMatch(placement.nodes()::contains);
  }
}
