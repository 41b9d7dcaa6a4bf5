package io.github.liquidscheduler.scheduler.explain;

import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.gang.UnmetConstraintSearch;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.List;

/** What keeps a job from being placed, whether its placer says so or not. */
public final class UnmetConstraints {

  private UnmetConstraints() {}

  /** Returns what keeps the job from being placed, at least one constraint; none if it fits. */
  public static List<UnmetConstraint> of(Placer placer, ClusterState state, JobSpec job) {
    List<UnmetConstraint> said = placer.unmetConstraints(state, job);
    return said.isEmpty() ? UnmetConstraintSearch.explain(placer, state, job) : said;
  }
}
