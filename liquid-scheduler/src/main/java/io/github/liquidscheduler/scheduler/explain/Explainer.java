package io.github.liquidscheduler.scheduler.explain;

import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.Counterfactual;
import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.timeline.Timeline;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Explains why a job waits. What it lacks comes from the placer; what would help is tried out: each
 * remedy is a changed job, or a cluster that some jobs have left, on which the placer found a
 * placement. The cost is a number of placements that grows with the logarithm of the running jobs.
 */
public final class Explainer {

  private final JobTable table;
  private final Placer placer;

  /** Makes an explainer that tries things out with {@code placer}. */
  public Explainer(JobTable table, Placer placer) {
    this.table = table;
    this.placer = placer;
  }

  /** Returns why a waiting job waits. The state is as before afterwards. */
  public Explanation explain(JobEntry job) {
    List<UnmetConstraint> unmet = UnmetConstraints.of(placer, table.cluster(), job.job());
    return unmet.isEmpty()
        ? new Explanation(job.id(), table.now(), List.of(queueOrder(job)), List.of())
        : new Explanation(job.id(), table.now(), unmet, remedies(job));
  }

  private List<Counterfactual> remedies(JobEntry job) {
    Remedies remedies = new Remedies(placer, table.cluster(), job.job());
    List<Counterfactual> found = new ArrayList<>();
    remedies.widerLevel().ifPresent(found::add);
    remedies.fewerTasks().ifPresent(found::add);
    remedies.otherModel().ifPresent(found::add);
    remedies
        .afterJobsEnd(Timeline.of(table), job.placementClass().leastGpus())
        .ifPresent(found::add);
    return found;
  }

  private UnmetConstraint queueOrder(JobEntry job) {
    int ahead = table.waiting().position(job);
    Optional<JobId> next =
        ahead == 0
            ? Optional.empty()
            : Optional.ofNullable(table.waiting().first()).map(JobEntry::id);
    return new UnmetConstraint(
        Constraint.QUEUE_ORDER,
        "jobs before it",
        0,
        ahead,
        next.map(first -> new UnmetConstraint.ClosestFit("after job '" + first + "'", 1)));
  }
}
