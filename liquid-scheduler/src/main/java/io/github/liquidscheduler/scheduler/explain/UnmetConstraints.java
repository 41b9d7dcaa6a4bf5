package io.github.liquidscheduler.scheduler.explain;

import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.List;
import java.util.Optional;

/** What keeps a job from being placed, whether its placer says so or not. */
public final class UnmetConstraints {

  private UnmetConstraints() {}

  /** Returns what keeps the job from being placed, at least one constraint; none if it fits. */
  public static List<UnmetConstraint> of(Placer placer, ClusterState state, JobSpec job) {
    List<UnmetConstraint> said = placer.unmetConstraints(state, job);
    return !said.isEmpty() || placer.place(state, job).isPresent()
        ? said
        : List.of(plain(state, job));
  }

  /** Returns what can be said of a job that a placer does not place without saying why. */
  private static UnmetConstraint plain(ClusterState state, JobSpec job) {
    boolean lacksGpus = job.sharing() instanceof Sharing.Exclusive && job.gpus() > state.freeGpus();
    return lacksGpus
        ? new UnmetConstraint(
            Constraint.GPUS, "all nodes", job.gpus(), state.freeGpus(), Optional.empty())
        : new UnmetConstraint(
            Constraint.COMBINATION, "all tasks", job.tasks(), 0, Optional.empty());
  }
}
