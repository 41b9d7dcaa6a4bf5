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
import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.placement.eviction.LeavingSearch;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobAdmission;
import io.github.liquidscheduler.scheduler.quota.QuotaExcess;
import io.github.liquidscheduler.scheduler.state.SchedulerState;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduling.Placer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/*
 * Idea: what the placer lacks for a job, what the agenda has it wait for, and changes with which it
 * would fit, each verified by placing the changed job, or the job on a changed cluster.
 * Invariants: the state is unchanged afterwards; equal states explain alike (RetryConditionLaws).
 * Cost: a bounded number of placements, however many jobs wait or run; the first call also sorts
 * the running jobs by expected end. EventBench.
 */
/** Explains why a job waits. */
public record Explainer(SchedulerState state, Placer placer) {

  /** Limits of searches for jobs that leave; longer lists are useless and slow to find. */
  static final EvictionSearch.Limits LIMITS = new EvictionSearch.Limits(4096, 128, 256, true);

  private static final int MOST_NAMED = 3;

  /**
   * Returns the explanation of a waiting job. The state is unchanged afterwards.
   *
   * @param parked the constraint that keeps the job from being tried, if any
   * @param promised the promised start, if any
   * @param window when the batch window closes or its plan times out, if that is known
   */
  public Explanation explain(
      JobEntry job,
      Optional<UnmetConstraint> parked,
      Optional<StartEstimate> promised,
      Optional<Instant> window) {
    JobSpec least = job.job().atLeastSize();
    List<UnmetConstraint> unmet = UnmetConstraints.of(placer, state.jobs().cluster(), least);
    Optional<AfterJobsEnd> ends = unmet.isEmpty() ? Optional.empty() : afterJobsEnd(job);
    List<Counterfactual> remedies = underQuotas(job, unmet.isEmpty());
    if (!unmet.isEmpty()) {
      remedies.addAll(
          new Remedies(placer, state.jobs().cluster(), state.failures(), least, unmet).all());
    }
    ends.ifPresent(remedies::add);
    givenBack(job, unmet).ifPresent(remedies::add);
    int ahead = state.jobs().waiting().position(job);
    List<JobId> next =
        state.jobs().waiting().head(Math.min(ahead, MOST_NAMED)).stream()
            .map(JobEntry::id)
            .toList();
    return new Explanation(
        job.id(),
        state.jobs().now(),
        new QueuePosition(
            ahead,
            next,
            promised
                .or(() -> expectedStart(job, ends.flatMap(AfterJobsEnd::expectedAt)))
                .filter(start -> !start.instant().isAfter(GpuTime.LATEST))),
        constraints(job, parked, ahead, unmet, remedies),
        new RetryConditions(state.jobs(), window, state.backfill().isPresent()).of(job),
        remedies);
  }

  /**
   * Returns the quota that other queues would have to give back, if the job lacks capacity or
   * quota.
   */
  private Optional<Counterfactual> givenBack(JobEntry job, List<UnmetConstraint> unmet) {
    return unmet.isEmpty() && state.jobs().quotas().admission().excess(job).isEmpty()
        ? Optional.empty()
        : new FitAfterReclaim(state.jobs(), placer).find(job);
  }

  /**
   * Returns a minimal set of running jobs whose ends let the job fit: as few as possible of those
   * that end soonest, without needless ones.
   */
  private Optional<AfterJobsEnd> afterJobsEnd(JobEntry job) {
    return new EvictionSearch<JobEntry>(state.jobs().cluster(), placer, job.job(), LIMITS)
        .fewest(state.jobs().running().soonestToEnd().iterator())
        .map(LeavingSearch.Result::leaving)
        .filter(needed -> !needed.isEmpty())
        .map(
            needed ->
                new AfterJobsEnd(needed.stream().map(JobEntry::id).toList(), lastEnd(needed)));
  }

  /**
   * Returns the instant by which all jobs are expected to have ended; empty if one's is unknown.
   */
  private Optional<Instant> lastEnd(List<JobEntry> jobs) {
    List<Instant> ends =
        jobs.stream().flatMap(job -> job.expectedEnd(state.jobs().now()).stream()).toList();
    return ends.size() < jobs.size()
        ? Optional.empty()
        : ends.stream().max(Comparator.naturalOrder());
  }

  /** Returns what a job would have to change for its quotas, whatever other jobs hold. */
  private List<Counterfactual> underQuotas(JobEntry job, boolean fits) {
    JobAdmission admission = state.jobs().quotas().admission();
    List<Counterfactual> changes = new ArrayList<>();
    admission
        .excessAlone(job.job())
        .map(
            excess ->
                new Counterfactual.WithinQuotas(
                    excess.queue(),
                    excess.resource(),
                    excess.isOfGuaranteed(),
                    excess.available() / (double) excess.resource().perUnit()))
        .ifPresent(changes::add);
    if (fits
        && admission.excess(job).filter(QuotaExcess::isOfGuaranteed).isPresent()
        && admission.excessIfPreemptible(job).isEmpty()) {
      changes.add(new Counterfactual.IfPreemptible());
    }
    return changes;
  }

  /**
   * Returns the constraint that no change of the cluster helps, then that which keeps the job from
   * being tried, then those that it does not meet.
   */
  private List<UnmetConstraint> constraints(
      JobEntry job,
      Optional<UnmetConstraint> parked,
      int ahead,
      List<UnmetConstraint> unmet,
      List<Counterfactual> remedies) {
    List<UnmetConstraint> all = new ArrayList<>();
    for (Counterfactual remedy : remedies) {
      if (remedy instanceof Counterfactual.WithinQuotas less) {
        String quota = less.isOfGuaranteed() ? "guarantee" : "limit";
        String scope = "%s of %s of queue '%s'".formatted(quota, less.resource(), less.queue());
        all.add(unmet(Constraint.QUOTAS_FORBID, scope, 1));
      }
    }
    if (parked.isPresent()) {
      all.add(parked.get());
    } else if (state.backfill().isPresent()) {
      state.backfill().get().conflictFor(job).ifPresent(all::add);
    } else if (state.jobs().hasOneHead()) {
      if (ahead > 0) {
        String scope = state.jobs().policy().name() + " has no job bypass others";
        all.add(unmet(Constraint.QUEUE_ORDER, scope, ahead));
      }
    } else {
      behindHead(job).ifPresent(all::add);
    }
    all.addAll(unmet);
    if (!unmet.isEmpty() || state.jobs().quotas().admission().excess(job).isPresent()) {
      all.addAll(UnmetConstraints.ofAdopted(state, MOST_NAMED));
    }
    if (all.isEmpty()) {
      String scope = "all tasks at once when last tried, before enough capacity was found";
      all.add(unmet(Constraint.COMBINATION, scope, job.job().atLeastSize().tasks()));
    }
    return all;
  }

  /** Returns the constraint that a job waits behind the head of its queue, if it does. */
  private Optional<UnmetConstraint> behindHead(JobEntry job) {
    return state
        .jobs()
        .waiting()
        .headOf(job)
        .filter(head -> state.jobs().waiting().hasToWaitForTurn(job))
        .map(
            head ->
                unmet(
                    Constraint.QUEUE_ORDER,
                    "behind '%s', the head of queue '%s'".formatted(head.id(), job.job().queue()),
                    state.jobs().waiting().positionInQueue(job)));
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
        state.backfill().flatMap(plan -> plan.start(job.id())).map(StartEstimate.ExpectedAt::new);
    if (reserved.isPresent()) {
      return reserved;
    }
    if (held.isPresent()
        || state.backfill().isPresent()
        || state.jobs().policy().preempts()
        || state.jobs().promises()
        || state.jobs().quotas().hasQueueTree()
        || state.jobs().isBatched()) {
      return held;
    }
    boolean ranksStay =
        state.jobs().policy().queueOrder().isEmpty()
            && state.jobs().reviews().nextReview(List.of()).isEmpty();
    Optional<StartEstimate> ahead =
        ranksStay ? LookAhead.of(state.jobs(), placer, job) : Optional.empty();
    if (ahead.isPresent() && ahead.get() instanceof StartEstimate.ExpectedAt) {
      return ahead;
    }
    return fitsAt
        .filter(at -> ahead.isEmpty() || at.isAfter(ahead.get().instant()))
        .<StartEstimate>map(StartEstimate.NotBefore::new)
        .or(() -> ahead);
  }
}
