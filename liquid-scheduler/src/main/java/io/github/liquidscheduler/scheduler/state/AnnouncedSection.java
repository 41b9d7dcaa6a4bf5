package io.github.liquidscheduler.scheduler.state;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.placement.timeline.Slot;
import io.github.liquidscheduler.placement.timeline.TimeWindow;
import io.github.liquidscheduler.scheduler.backfill.Announced;
import io.github.liquidscheduler.scheduling.AdvanceReservation;
import io.github.liquidscheduler.scheduling.ReservationId;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The announced advance reservations and their reserved capacity. Loaded before the reservations.
 */
record AnnouncedSection() implements StateSection {

  @Override
  public String name() {
    return "advanceReservations";
  }

  @Override
  public boolean mayBeMissing() {
    return true;
  }

  @Override
  public SnapshotSection save(SchedulerState state) {
    return SnapshotSection.builder()
        .list("announced", state.backfill().orElseThrow().advance().all(), AnnouncedSection::saved)
        .build();
  }

  private static SnapshotSection saved(Announced each) {
    SnapshotSection.Builder section =
        SnapshotSection.builder()
            .put("reservation", each.reservation())
            .put("hasBegun", each.hasBegun());
    each.slot().ifPresent(kept -> save(section, kept));
    return section.build();
  }

  private static void save(SnapshotSection.Builder section, Slot<Placement> kept) {
    section
        .put("keptFrom", kept.window().start())
        .put("keptUntil", kept.window().end())
        .put("placement", kept.placement());
  }

  @Override
  public void load(SnapshotSection.Reader in, SchedulerState state) {
    List<Announced> announced =
        in.list(
            "announced",
            SnapshotSection.class,
            each -> each.read(section -> announced(section, state)));
    Set<ReservationId> seen = new HashSet<>();
    for (Announced each : announced) {
      if (!seen.add(each.reservation().id())) {
        throw new IllegalArgumentException(
            "a reservation must be announced once, but '%s' was twice"
                .formatted(each.reservation().id()));
      }
    }
    state.backfill().orElseThrow().resumeAnnounced(announced);
  }

  private static Announced announced(SnapshotSection.Reader in, SchedulerState state) {
    return new Announced(
        in.value("reservation", AdvanceReservation.class),
        kept(in, state),
        in.value("hasBegun", Boolean.class));
  }

  private static Optional<Slot<Placement>> kept(SnapshotSection.Reader in, SchedulerState state) {
    Optional<Placement> placement = in.optional("placement", Placement.class);
    if (placement.isEmpty()) {
      return Optional.empty();
    }
    if (!placement.get().nodes().stream().allMatch(state.cluster().topology()::contains)) {
      throw new IllegalArgumentException(
          "capacity must be reserved on nodes of the cluster, but was on "
              + placement.get().nodes());
    }
    TimeWindow window =
        new TimeWindow(in.value("keptFrom", Long.class), in.value("keptUntil", Long.class));
    return Optional.of(new Slot<>(window, placement.get()));
  }
}
