package io.github.liquidscheduler.scheduler.state;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs.Membership;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs.OpenPlan;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The plan that the last event has left with jobs still to be tried. Left out if there is none. */
record PlanSection() implements StateSection {

  @Override
  public String name() {
    return "openPlan";
  }

  @Override
  public boolean mayBeMissing() {
    return true;
  }

  @Override
  public SnapshotSection save(SchedulerState state) {
    SnapshotSection.Builder section = SnapshotSection.builder();
    @Nullable OpenPlan open = state.window().openPlan();
    if (open != null) {
      section
          .put("number", open.number())
          .list("starts", open.starts(), start -> start)
          .list("borrowed", open.borrowed().entrySet(), PlanSection::borrowed)
          .texts("deferrable", open.deferrable())
          .list("started", open.started(), position -> (long) position)
          .texts("singled", open.singled())
          .put("someDidNotFit", open.someDidNotFit())
          .put("hasGrown", open.hasGrown())
          .texts("conflicting", open.conflicting());
    }
    return section.build();
  }

  private static SnapshotSection borrowed(Map.Entry<JobId, Membership> job) {
    return SnapshotSection.builder()
        .text("job", job.getKey())
        .put("as", job.getValue().name())
        .build();
  }

  @Override
  public void load(SnapshotSection.Reader in, SchedulerState state) {
    Map<JobId, Membership> memberships = new LinkedHashMap<>();
    for (SnapshotSection job : in.list("borrowed", SnapshotSection.class, each -> each)) {
      job.readAll(
          of -> memberships.put(of.text("job", JobId::of), of.text("as", Membership::valueOf)));
    }
    state
        .window()
        .leaveOpen(
            new BatchedJobs.OpenPlan(
                in.longCount("number"),
                in.list("starts", Placement.class, start -> start),
                in.texts("conflicting", JobId::of),
                memberships,
                in.texts("deferrable", JobId::of),
                in.counts("started"),
                in.texts("singled", JobId::of),
                in.value("someDidNotFit", Boolean.class),
                in.value("hasGrown", Boolean.class)));
  }
}
