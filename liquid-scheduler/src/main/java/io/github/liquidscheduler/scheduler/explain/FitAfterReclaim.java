package io.github.liquidscheduler.scheduler.explain;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.Counterfactual;
import io.github.liquidscheduler.explanation.Counterfactual.Kept;
import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.placement.eviction.LeavingSearch;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.queue.Victims;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.LazyIterator;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.Quotas;
import io.github.liquidscheduler.scheduler.quota.BorrowingQueues;
import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduler.quota.HypotheticalUsage;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import io.github.liquidscheduler.scheduler.quota.QuotaExcess;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the borrowed quota that other queues would have to give back so that a waiting job fits
 * within its own quota: repeatedly the queue that borrows most loses its last job in order, as few
 * as suffice, without needless ones. The state is unchanged afterwards.
 */
record FitAfterReclaim(JobTable table, Placer placer) {

  /** Returns the quota to be given back; empty if there are no queues or nothing helps. */
  Optional<Counterfactual> find(JobEntry job) {
    if (!table.quotas().hasQueueTree() || lacksOwnQuota(job)) {
      return Optional.empty();
    }
    return new EvictionSearch<JobEntry>(
            table.cluster(),
            placer,
            job.job().atLeastSize(),
            Explainer.LIMITS,
            (placement, gone) -> mayBeHeld(job, placement, gone))
        .fewest(new JobsThatBorrow(job.account()))
        .map(LeavingSearch.Result::leaving)
        .filter(leaving -> !leaving.isEmpty())
        .map(leaving -> givenBack(job, leaving));
  }

  /** Returns true if the job's own queue lacks quota, whatever others hold. */
  private boolean lacksOwnQuota(JobEntry job) {
    Optional<QuotaExcess> excess = table.quotas().admission().excess(job);
    return excess.isPresent()
        && (excess.get().isOfGuaranteed() || excess.get().queue().equals(job.account().name()));
  }

  private boolean mayBeHeld(JobEntry job, Placement placement, List<JobEntry> gone) {
    HypotheticalUsage use = HypotheticalUsage.toAdmit();
    gone.forEach(left -> use.hold(left.account(), table.quotas().charge(left), -1));
    return table.quotas().admission().admits(job, placement, use);
  }

  private Counterfactual givenBack(JobEntry asking, List<JobEntry> leaving) {
    Map<QueueAccount, List<Charge>> byQueue = new LinkedHashMap<>();
    for (JobEntry job : leaving) {
      byQueue
          .computeIfAbsent(job.account(), any -> new ArrayList<>())
          .add(table.quotas().charge(job));
    }
    List<Counterfactual.GivenBack> given = new ArrayList<>();
    byQueue.forEach((queue, left) -> BorrowingQueues.givenBack(queue, left).ifPresent(given::add));
    return new Counterfactual.AfterGivingBack(
        given, leaving.stream().map(JobEntry::id).toList(), kept(asking, leaving));
  }

  private Optional<Kept> kept(JobEntry asking, List<JobEntry> leaving) {
    Quotas quotas = table.quotas();
    if (quotas.reclaiming() == Reclaiming.NEVER) {
      return Optional.of(Kept.NOTHING_IS_RECLAIMED);
    }
    if (quotas.lendsQuota()) {
      return asking.account().preemption().others() == Victims.NEVER
          ? Optional.of(Kept.QUEUE_RECLAIMS_NOTHING)
          : Optional.empty();
    }
    if (!quotas.admission().mayTakeBack(asking)) {
      return Optional.of(Kept.BEYOND_SHARE);
    }
    return leaving.stream().anyMatch(table.running()::isProtected)
        ? Optional.of(Kept.PROTECTED)
        : Optional.empty();
  }

  /** Iterates the jobs of borrowing queues in the order in which they would be reclaimed. */
  private final class JobsThatBorrow extends LazyIterator<JobEntry> {

    private final BorrowingQueues queues;
    // Never iterated.
    private final Map<QueueAccount, Iterator<JobEntry>> jobs = new HashMap<>();

    JobsThatBorrow(QueueAccount asking) {
      queues = new BorrowingQueues(asking);
    }

    @Override
    protected @Nullable JobEntry find() {
      for (@Nullable QueueAccount worst = queues.takeWorst();
          worst != null;
          worst = queues.takeWorst()) {
        Iterator<JobEntry> left =
            jobs.computeIfAbsent(worst, queue -> table.running().preemptibleSoonOf(queue));
        while (left.hasNext()) {
          JobEntry job = left.next();
          if (queues.holdsBorrowed(worst, table.quotas().charge(job))) {
            queues.lose(worst, table.quotas().charge(job));
            return job;
          }
        }
      }
      return null;
    }
  }
}
