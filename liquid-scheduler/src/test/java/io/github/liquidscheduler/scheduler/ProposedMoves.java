package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.gang.RandomPlacer;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.planning.PlanCertificate;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Plans that nobody asked for and that move all running jobs at random. */
final class ProposedMoves {

  private static final PlanCertificate CERTIFICATE = new PlanCertificate(0, 0, 0, 0, List.of());

  private ProposedMoves() {}

  /** Returns the proposal to move each running job to what the view shows as free. */
  static ClusterEvent of(ClusterView view, int pick, Instant now) {
    ClusterState then = ClusterState.copyOf(view);
    List<Migration> moves = new ArrayList<>();
    for (var job : view.runningJobs()) {
      JobSpec spec = view.job(job).orElseThrow();
      then.trials().suspend(job);
      var to = new RandomPlacer(pick).place(then, spec);
      then.trials().resume(job);
      if (to.isPresent()) {
        then.release(job);
        then.apply(spec, to.get());
        moves.add(new Migration(job, to.get(), 1, 2));
      }
    }
    return new ClusterEvent.PlanProposed(
        now, new BatchPlan(0, List.of(), moves, List.of(), CERTIFICATE));
  }
}
