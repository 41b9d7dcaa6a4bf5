package io.github.liquidscheduler.scheduler.explain;

import io.github.liquidscheduler.explanation.RetryCondition;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.scheduler.eviction.MoveBudget;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.WaitingClasses;
import io.github.liquidscheduler.scheduler.quota.QuotaExcess;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What has to change before waiting jobs are tried again, as the agenda has it: nothing is tried.
 *
 * @param window when the batch window closes or its plan times out, if that is known
 * @param triesAll whether all jobs are tried at every event, as beside reservations
 */
public record RetryConditions(JobTable table, Optional<Instant> window, boolean triesAll) {

  private static final RetryCondition ANY = new RetryCondition.AnyChange();

  /** Returns the conditions of a waiting job, of which any will do; at least one. */
  public List<RetryCondition> of(JobEntry job) {
    if (job.history().hold().isPresent()) {
      return List.of(new RetryCondition.JobReleased());
    }
    Optional<Instant> held = Optional.ofNullable(job.delayedUntil());
    if (held.isPresent()) {
      RetryCondition end =
          held.filter(at -> !at.isAfter(GpuTime.LATEST))
              .<RetryCondition>map(RetryCondition.AtTime::new)
              .orElseGet(RetryCondition.JobUpdated::new);
      // A promised share may become free earlier.
      return job.phase().heldUntil().isPresent() ? List.of(end, ANY) : List.of(end);
    }
    if (table.batched().contains(job)) {
      RetryCondition plan = new RetryCondition.AfterPlan();
      return window
          .map(at -> List.of(plan, new RetryCondition.AtTime(at)))
          .orElseGet(() -> List.of(plan));
    }
    if (triesAll || table.agenda().isOpen()) {
      return List.of(ANY);
    }
    return headBefore(job)
        .<List<RetryCondition>>map(head -> List.of(new RetryCondition.HeadChanged(head.id())))
        .orElseGet(() -> isParked(job) ? ofParked(job) : List.of(ANY));
  }

  /** Returns the job that must start first; empty if none has to. */
  private Optional<JobEntry> headBefore(JobEntry job) {
    return table.hasOneHead()
        ? Optional.ofNullable(table.eligible().first()).filter(head -> !head.equals(job))
        : table.eligible().headOf(job).filter(head -> table.eligible().hasToWaitForTurn(job));
  }

  /** Returns true if a failed attempt speaks for the first job of the class. */
  private boolean isParked(JobEntry job) {
    WaitingClasses classes = table.eligible().byClass();
    return table.hasOneHead()
        ? job.equals(table.agenda().parkedHead())
        : classes.first(job.placementClass()).filter(classes::isParked).isPresent();
  }

  /** Returns the conditions of a job after a failed attempt. */
  private List<RetryCondition> ofParked(JobEntry job) {
    List<RetryCondition> any = new ArrayList<>();
    Optional<QuotaExcess> excess =
        table.quotas().lendsQuota() ? Optional.empty() : table.quotas().admission().excess(job);
    if (excess.isPresent()) {
      any.add(new RetryCondition.QuotaReleased(excess.get().queue(), excess.get().resource()));
    } else {
      any.add(new RetryCondition.CapacityReleased());
      if (!(job.job().sharing() instanceof Sharing.Exclusive)) {
        any.add(new RetryCondition.CoRunnerAccepted());
      }
    }
    if (dependsOnVictims(job)) {
      any.add(new RetryCondition.VictimsChanged());
    }
    time(job).map(RetryCondition.AtTime::new).ifPresent(any::add);
    return any;
  }

  /** Returns true if ranks or the usage of queues decide which jobs give way. */
  private boolean dependsOnVictims(JobEntry job) {
    boolean mayMove = table.preemption().mostMoves() > 0;
    return table.mayPreempt(job)
        || (table.quotas().hasQueueTree()
            && (mayMove
                || table.changesSizes()
                || table.quotas().admission().dependsOnOthers(job)
                || table.quotas().admission().isBlockedByParentLimit(job)));
  }

  /** Returns the next time at which jobs spared until then may give way, or moves may pay. */
  private Optional<Instant> time(JobEntry job) {
    Optional<Instant> spared =
        table
            .agenda()
            .nextTry()
            .filter(at -> table.agenda().later().contains(job.placementClass()));
    return Stream.of(spared, new MoveBudget(table).nextChange(table.now()))
        .flatMap(Optional::stream)
        .min(Comparator.naturalOrder());
  }
}
