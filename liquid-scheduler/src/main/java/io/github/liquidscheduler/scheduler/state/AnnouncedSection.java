package io.github.liquidscheduler.scheduler.state;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.placement.timeline.Slot;
import io.github.liquidscheduler.placement.timeline.TimeWindow;
import io.github.liquidscheduler.scheduler.backfill.Announced;
import io.github.liquidscheduler.scheduling.AdvanceReservation;
import io.github.liquidscheduler.scheduling.ReservationId;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Instant;
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
            .text("id", each.reservation().id())
            .text("from", each.reservation().from())
            .text("until", each.reservation().until())
            .put("hasBegun", (Object) each.hasBegun());
    switch (each.reservation()) {
      case AdvanceReservation.Maintenance maintenance ->
          section.texts("nodes", maintenance.nodes());
      case AdvanceReservation.Capacity capacity -> {
        section
            .put("shape", capacity.shape())
            .texts("jobs", capacity.jobs())
            .text("queue", capacity.queue());
        each.slot().ifPresent(kept -> save(section, kept));
      }
    }
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
    ReservationId id = in.text("id", ReservationId::of);
    Instant from = in.text("from", Instant::parse);
    Instant until = in.text("until", Instant::parse);
    boolean hasBegun = in.value("hasBegun", Boolean.class);
    List<NodeId> nodes = in.texts("nodes", NodeId::of);
    if (!nodes.isEmpty()) {
      return new Announced(
          new AdvanceReservation.Maintenance(id, from, until, nodes), Optional.empty(), hasBegun);
    }
    AdvanceReservation.Capacity capacity =
        new AdvanceReservation.Capacity(
            id,
            from,
            until,
            in.value("shape", JobSpec.class),
            in.texts("jobs", JobId::of),
            in.optionalText("queue", QueueName::of));
    return new Announced(capacity, kept(in, state), hasBegun);
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
