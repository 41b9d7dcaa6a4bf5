package io.github.liquidscheduler.scheduler.explain;

import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.Counterfactual;
import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.scheduling.Placer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Explains why a job waits. What it lacks comes from the placer; what would help is tried out: each
 * remedy is a changed job, or a cluster some jobs have left, on which the placer found a place.
 */
public final class Explainer {

  private final Placer placer;

  /** Makes an explainer that tries things out with {@code placer}. */
  public Explainer(Placer placer) {
    this.placer = Objects.requireNonNull(placer, "placer");
  }

  /**
   * Returns why {@code job} waits.
   *
   * @param state who runs where; unchanged by the call
   * @param job the waiting job
   * @param now the present
   * @param ahead the waiting jobs that the policy has before it, the next in turn first
   * @param ends when each running job is expected to end, in any order
   */
  public Explanation explain(
      ClusterState state, JobSpec job, Instant now, List<JobId> ahead, List<ExpectedEnd> ends) {
    List<UnmetConstraint> unmetConstraints = placer.unmetConstraints(state, job);
    if (unmetConstraints.isEmpty()) {
      return new Explanation(job.id(), now, List.of(outOfTurn(ahead)), List.of());
    }
    Remedies remedies = new Remedies(placer, state, job);
    List<Counterfactual> found = new ArrayList<>();
    remedies.widerLevel().ifPresent(found::add);
    remedies.fewerTasks().ifPresent(found::add);
    remedies.otherModel().ifPresent(found::add);
    remedies.afterJobsEnd(ends).ifPresent(found::add);
    return new Explanation(job.id(), now, unmetConstraints, found);
  }

  private static UnmetConstraint outOfTurn(List<JobId> ahead) {
    Optional<UnmetConstraint.ClosestFit> next =
        ahead.stream()
            .findFirst()
            .map(job -> new UnmetConstraint.ClosestFit("after job '" + job + "'", 1));
    return new UnmetConstraint(Constraint.QUEUE_ORDER, "jobs before it", 0, ahead.size(), next);
  }
}
