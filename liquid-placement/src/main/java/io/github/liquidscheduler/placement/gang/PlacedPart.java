package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The largest number of first tasks, in the order of the roles, that a placer places of a job that
 * does not fit.
 *
 * @param placement their placement; empty if not even the first task fits
 */
record PlacedPart(int tasks, int gpus, Optional<Placement> placement) {

  /** Returns the largest part, found by halving; exact if fewer tasks fit whenever more do. */
  static PlacedPart of(Placer placer, ClusterState state, JobSpec job) {
    PlacedPart most = new PlacedPart(0, 0, Optional.empty());
    int tooMany = job.tasks();
    while (tooMany - most.tasks() > 1) {
      int middle = (most.tasks() + tooMany) >>> 1;
      JobSpec first = first(job, middle);
      Optional<Placement> placement = placer.place(state, first);
      if (placement.isPresent()) {
        most = new PlacedPart(middle, first.gpus(), placement);
      } else {
        tooMany = middle;
      }
    }
    return most;
  }

  private static JobSpec first(JobSpec job, int tasks) {
    List<TaskRole> roles = new ArrayList<>();
    int left = tasks;
    for (TaskRole role : job.roles()) {
      int count = Math.min(left, role.count());
      if (count > 0) {
        roles.add(role.whole(count));
      }
      left -= count;
    }
    return job.toBuilder()
        .roles(roles)
        .groups(List.of())
        .communication(Communication.none())
        .parallelism(Parallelism.fixed(roles.getFirst().count()))
        .build();
  }
}
