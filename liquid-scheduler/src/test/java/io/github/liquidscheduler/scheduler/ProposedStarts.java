package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.PlanCertificate;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Plans that nobody asked for and that start all waiting jobs for which there is room. */
final class ProposedStarts {

  private static final PlanCertificate CERTIFICATE = new PlanCertificate(0, 0, 0, 0, List.of());

  private ProposedStarts() {}

  /** Returns the proposal to start waiting jobs in order, whatever queues and reservations say. */
  static ClusterEvent of(Scheduler scheduler, Instant now) {
    ClusterView view = scheduler.view();
    ClusterState then = ClusterState.copyOf(view);
    Placer placer = Placers.bestFit();
    List<Placement> starts = new ArrayList<>();
    for (JobId id : scheduler.waiting()) {
      JobSpec job = scheduler.job(id).orElseThrow();
      placer
          .place(then, job)
          .ifPresent(
              place -> {
                then.apply(job, place);
                starts.add(place);
              });
    }
    return new ClusterEvent.PlanProposed(
        now, new BatchPlan(0, starts, List.of(), List.of(), CERTIFICATE));
  }
}
