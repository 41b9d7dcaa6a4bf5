package io.github.liquidscheduler.scheduler.state;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.timeline.Reservation;
import io.github.liquidscheduler.placement.timeline.Slot;
import io.github.liquidscheduler.placement.timeline.TimeWindow;
import io.github.liquidscheduler.scheduler.backfill.BackfillPlan;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The reservations for waiting jobs, and the recorded run times. Loaded after the jobs. */
record ReservationsSection() implements StateSection {

  @Override
  public String name() {
    return "reservations";
  }

  @Override
  public SnapshotSection save(SchedulerState state) {
    SnapshotSection.Builder section =
        SnapshotSection.builder()
            .list("reserved", plan(state).reservations(), ReservationsSection::reservation);
    plan(state).saveRunTimes(section);
    return section.build();
  }

  @Override
  public void load(SnapshotSection.Reader in, SchedulerState state) {
    List<Reservation<Placement>> reserved =
        in.list(
            "reserved",
            SnapshotSection.class,
            each -> each.read(section -> reservation(section, state)));
    Set<JobId> named = new HashSet<>();
    for (Reservation<Placement> reservation : reserved) {
      @Nullable JobEntry job = state.jobs().find(reservation.job());
      if (job == null || job.isRunning() || !named.add(reservation.job())) {
        throw new IllegalArgumentException(
            "a place must be reserved once and for a job that waits, but '%s' is not such"
                .formatted(reservation.job()));
      }
    }
    plan(state).resume(reserved, in);
  }

  private static BackfillPlan plan(SchedulerState state) {
    return state.backfill().orElseThrow();
  }

  private static SnapshotSection reservation(Reservation<Placement> reservation) {
    return SnapshotSection.builder()
        .text("job", reservation.job())
        .put("from", reservation.slot().window().start())
        .put("to", reservation.slot().window().end())
        .put("promised", reservation.promised())
        .put("placement", reservation.slot().placement())
        .build();
  }

  private static Reservation<Placement> reservation(
      SnapshotSection.Reader in, SchedulerState state) {
    Placement placement = in.value("placement", Placement.class);
    if (!placement.nodes().stream().allMatch(state.cluster().topology()::contains)) {
      throw new IllegalArgumentException(
          "a place must be reserved on nodes that there are, but was on " + placement.nodes());
    }
    TimeWindow window = new TimeWindow(in.value("from", Long.class), in.value("to", Long.class));
    return new Reservation<>(
        in.text("job", JobId::of), new Slot<>(window, placement), in.value("promised", Long.class));
  }
}
