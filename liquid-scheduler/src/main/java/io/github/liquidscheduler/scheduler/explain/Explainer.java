package io.github.liquidscheduler.scheduler.explain;

import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.Counterfactual;
import io.github.liquidscheduler.explanation.Counterfactual.AfterJobsEnd;
import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.explanation.QueuePosition;
import io.github.liquidscheduler.explanation.StartEstimate;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduler.backfill.BackfillPlan;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.NodeFailures;
import io.github.liquidscheduler.scheduler.state.SchedulerState;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduling.Placer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Explains why a job waits. Unmet constraints come from the placer; each remedy is verified by
 * placing the changed job, or the job on a changed cluster. The cost is a bounded number of
 * placements, however many jobs wait or run; the first call also sorts the running jobs by expected
 * end.
 */
public final class Explainer {

  private static final int MOST_NAMED = 3;

  private final JobTable table;
  private final NodeFailures failures;
  private final Placer placer;
  private final Optional<BackfillPlan> backfill;

  /** Makes an explainer of a state; {@code placer} verifies the remedies. */
  public Explainer(SchedulerState state, Placer placer) {
    this.table = state.jobs();
    this.failures = state.failures();
    this.backfill = state.backfill();
    this.placer = placer;
  }

  /**
   * Returns the explanation of a waiting job. The state is unchanged afterwards.
   *
   * @param parked the constraint that keeps the job from being tried, if any
   * @param promised the promised start, if any
   */
  public Explanation explain(
      JobEntry job, Optional<UnmetConstraint> parked, Optional<StartEstimate> promised) {
    List<UnmetConstraint> unmet =
        UnmetConstraints.of(placer, table.cluster(), job.job().atLeastSize());
    List<Counterfactual> remedies = unmet.isEmpty() ? List.of() : changesOf(job, unmet);
    Optional<AfterJobsEnd> ends = unmet.isEmpty() ? Optional.empty() : afterJobsEnd(job);
    int ahead = table.waiting().position(job);
    List<JobId> next =
        table.waiting().head(Math.min(ahead, MOST_NAMED)).stream().map(JobEntry::id).toList();
    return new Explanation(
        job.id(),
        table.now(),
        new QueuePosition(
            ahead,
            next,
            promised
                .or(() -> expectedStart(job, ends.flatMap(AfterJobsEnd::expectedAt)))
                .filter(start -> !start.instant().isAfter(GpuTime.LATEST))),
        constraints(job, parked, ahead, unmet),
        joined(underQuotas(job, unmet), remedies, ends, givenBack(job, unmet)));
  }

  /**
   * Returns the quota that other queues would have to give back, if the job lacks capacity or
   * quota.
   */
  private Optional<Counterfactual> givenBack(JobEntry job, List<UnmetConstraint> unmet) {
    return unmet.isEmpty() && table.quotas().admission().excess(job).isEmpty()
        ? Optional.empty()
        : new FitAfterReclaim(table, placer).find(job);
  }

  private List<Counterfactual> changesOf(JobEntry job, List<UnmetConstraint> unmet) {
    JobSpec least = job.job().atLeastSize();
    return new Remedies(placer, table.cluster(), failures, least, unmet).all();
  }

  private Optional<AfterJobsEnd> afterJobsEnd(JobEntry job) {
    return new FitAfterEnds(table.cluster(), placer, job.job())
        .find(table.running().soonestToEnd(table.now()), table.now());
  }

  private List<Counterfactual> underQuotas(JobEntry job, List<UnmetConstraint> unmet) {
    return new FitUnderQuotas(table.quotas()).find(job, unmet.isEmpty());
  }

  private static List<Counterfactual> joined(
      List<Counterfactual> underQuotas,
      List<Counterfactual> remedies,
      Optional<AfterJobsEnd> ends,
      Optional<Counterfactual> givenBack) {
    List<Counterfactual> all = new ArrayList<>(underQuotas);
    all.addAll(remedies);
    ends.ifPresent(all::add);
    givenBack.ifPresent(all::add);
    return all;
  }

  /**
   * Returns the constraint that keeps the job from being tried, then those that it does not meet.
   */
  private List<UnmetConstraint> constraints(
      JobEntry job, Optional<UnmetConstraint> parked, int ahead, List<UnmetConstraint> unmet) {
    List<UnmetConstraint> all = new ArrayList<>();
    if (parked.isPresent()) {
      all.add(parked.get());
    } else if (backfill.isPresent()) {
      backfill.get().conflictFor(job).ifPresent(all::add);
    } else if (table.hasOneHead()) {
      if (ahead > 0) {
        String scope = table.policy().name() + " has no job bypass others";
        all.add(unmet(Constraint.QUEUE_ORDER, scope, ahead));
      }
    } else {
      behindHead(job).ifPresent(all::add);
    }
    all.addAll(unmet);
    if (all.isEmpty()) {
      String scope = "all tasks at once when last tried, before enough capacity was found";
      all.add(unmet(Constraint.COMBINATION, scope, job.job().atLeastSize().tasks()));
    }
    return all;
  }

  /** Returns the constraint that a job waits behind the head of its queue, if it does. */
  private Optional<UnmetConstraint> behindHead(JobEntry job) {
    return table
        .waiting()
        .headOf(job)
        .filter(head -> table.waiting().hasToWaitForTurn(job))
        .filter(head -> backfill.flatMap(plan -> plan.start(head.id())).isEmpty())
        .map(
            head ->
                unmet(
                    Constraint.QUEUE_ORDER,
                    "behind '%s', the head of queue '%s'".formatted(head.id(), job.job().queue()),
                    table.waiting().positionInQueue(job)));
  }

  private static UnmetConstraint unmet(Constraint constraint, String scope, int requested) {
    return new UnmetConstraint(constraint, scope, requested, 0, Optional.empty());
  }

  /**
   * Returns the expected start of the job.
   *
   * @param fitsAt the time at which it fits, unless other jobs take that capacity first
   */
  private Optional<StartEstimate> expectedStart(JobEntry job, Optional<Instant> fitsAt) {
    Optional<StartEstimate> held =
        Optional.ofNullable(job.delayedUntil()).map(StartEstimate.NotBefore::new);
    Optional<StartEstimate> reserved =
        backfill.flatMap(plan -> plan.start(job.id())).map(StartEstimate.ExpectedAt::new);
    if (reserved.isPresent()) {
      return reserved;
    }
    if (held.isPresent()
        || backfill.isPresent()
        || table.policy().preempts()
        || table.promises()
        || table.quotas().hasQueueTree()
        || table.isBatched()) {
      return held;
    }
    boolean ranksStay =
        table.policy().queueOrder().isEmpty() && table.reviews().nextReview(List.of()).isEmpty();
    Optional<StartEstimate> ahead = ranksStay ? LookAhead.of(table, placer, job) : Optional.empty();
    if (ahead.isPresent() && ahead.get() instanceof StartEstimate.ExpectedAt) {
      return ahead;
    }
    return fitsAt
        .filter(at -> ahead.isEmpty() || at.isAfter(ahead.get().instant()))
        .<StartEstimate>map(StartEstimate.NotBefore::new)
        .or(() -> ahead);
  }
}
