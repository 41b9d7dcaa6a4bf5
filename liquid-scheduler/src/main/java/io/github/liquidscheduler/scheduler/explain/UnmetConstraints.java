package io.github.liquidscheduler.scheduler.explain;

import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.gang.UnmetConstraintSearch;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.List;

/** The constraints that keep a job from being placed, also if its placer does not report them. */
public final class UnmetConstraints {

  private UnmetConstraints() {}

  /** Returns the unmet constraints, at least one; empty if the job fits. */
  public static List<UnmetConstraint> of(Placer placer, ClusterState state, JobSpec job) {
    List<UnmetConstraint> said = placer.unmetConstraints(state, job);
    return said.isEmpty() ? UnmetConstraintSearch.explain(placer, state, job) : said;
  }
}
