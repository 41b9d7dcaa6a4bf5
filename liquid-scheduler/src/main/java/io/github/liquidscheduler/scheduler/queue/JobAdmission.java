package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduler.quota.HypotheticalUsage;
import io.github.liquidscheduler.scheduler.quota.LentQuota;
import io.github.liquidscheduler.scheduler.quota.QueueBooks;
import io.github.liquidscheduler.scheduler.quota.QuotaExcess;
import io.github.liquidscheduler.scheduler.quota.Reclaim;
import io.github.liquidscheduler.scheduler.quota.ReplacementAdmission;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/*
 * Idea: starts, moves, growth, plans and explanations ask one place what quotas say of a job.
 * Invariants: a question changes no account; only what is reserved for the first jobs of queues is
 *   state, kept where an event stops early (LendingLaws, ShortQueueEventLaws).
 * Cost: O(depth x resources) for a question about one job; reservations O(queues that reserve).
 */
/** What quotas say of one job, and reserve for first ones. Without a tree all is allowed. */
public record JobAdmission(Quotas quotas) {

  private QueueBooks books() {
    return quotas.books();
  }

  /** Returns the quota that a waiting job would exceed at its smallest size; empty if none. */
  public Optional<QuotaExcess> excess(JobEntry job) {
    return quotas.hasQueueTree()
        ? job.account().admission().excess(certain(job), job.job().isPreemptible())
        : Optional.empty();
  }

  /**
   * Returns the quota that a job exceeds at its smallest size even if no other job is there; empty
   * if none, or if that depends on the GPU model.
   */
  public Optional<QuotaExcess> excessAlone(JobSpec job) {
    return quotas.hasQueueTree()
        ? books().account(job.queue()).admission().excessAlone(certain(job), job.isPreemptible())
        : Optional.empty();
  }

  /** Returns what a waiting job holds at its smallest size, whichever GPU models it runs on. */
  private Charge certain(JobEntry job) {
    return dependsOnModels(job) ? certain(job.job()) : quotas.charge(job);
  }

  /** Returns what a job holds at its smallest size, whichever GPU models it runs on. */
  Charge certain(JobSpec job) {
    boolean isSomeModel = books().dependsOnPlacement(job);
    return books().least(isSomeModel ? job.toBuilder().gpuModels(List.of()).build() : job);
  }

  /** Returns the quota that a waiting job exceeds now, as if it might be pre-empted. */
  public Optional<QuotaExcess> excessIfPreemptible(JobEntry job) {
    return quotas.hasQueueTree()
        ? job.account().admission().excess(certain(job), true)
        : Optional.empty();
  }

  /** Returns true if the quotas admit a placement of a waiting job. */
  public boolean admits(JobEntry job, Placement placement) {
    return admits(job, placement, HypotheticalUsage.toAdmit());
  }

  /**
   * Returns true if the quotas admit a placement of a waiting job under a hypothetical usage.
   * Requires a queue tree.
   */
  public boolean admits(JobEntry job, Placement placement, HypotheticalUsage use) {
    return admitsBesideUnlendable(job, placement, use, true)
        && respectsUnlendable(job, placement, use);
  }

  /**
   * Returns true if the limit of an ancestor blocks a pre-emptible job, so that losses of other
   * descendants may admit it.
   */
  public boolean isBlockedByParentLimit(JobEntry job) {
    return job.job().isPreemptible()
        && excess(job).filter(excess -> !excess.queue().equals(job.job().queue())).isPresent();
  }

  /**
   * Returns true if a limit, of its queue or an ancestor, blocks a job, so that losses of its own
   * queue may admit it.
   */
  public boolean isBlockedByLimit(JobEntry job) {
    return excess(job).filter(excess -> !excess.isOfGuaranteed()).isPresent();
  }

  /**
   * Returns the check of a waiting job that replaces jobs of its own queue, without victims yet.
   * Requires a queue tree.
   */
  public ReplacementAdmission replacement(JobEntry job) {
    boolean withinShare = quotas.reclaiming() != Reclaiming.NEVER;
    return new ReplacementAdmission(job.account(), job.job().isPreemptible(), withinShare);
  }

  /**
   * Returns true if the quotas admit a placement of a waiting job under a hypothetical usage.
   * Unlendable quota of others is not checked. Requires a queue tree.
   *
   * @param mayBorrow whether the queue may exceed its guarantee
   */
  public boolean admitsBesideUnlendable(
      JobEntry job, Placement placement, HypotheticalUsage use, boolean mayBorrow) {
    Charge charge = asked(job, placement);
    return job.account().admission().admits(charge, job.job().isPreemptible(), use)
        && (mayBorrow || !job.account().admission().wouldBorrow(charge, use));
  }

  /**
   * Returns true if a placement of a waiting job takes no unlendable quota of others under a
   * hypothetical usage. Requires a queue tree.
   */
  public boolean respectsUnlendable(JobEntry job, Placement placement, HypotheticalUsage use) {
    return respectsUnlendable(job, asked(job, placement), use);
  }

  /** Returns what a job asks its quotas for: at least its request, also beside co-runners. */
  private Charge asked(JobEntry job, Placement placement) {
    Charge held = quotas.charge(placement);
    return job.isRunning() ? held : held.max(certain(job));
  }

  private boolean respectsUnlendable(JobEntry job, Charge more, HypotheticalUsage use) {
    return !quotas.guaranteesUnlendableQuota()
        || job.account().admission().respectsUnlendable(more, use);
  }

  /** Returns the resources whose limit a waiting job exceeds. Requires a queue tree. */
  public BitSet exceeded(JobEntry job) {
    return job.account().admission().exceeded(certain(job));
  }

  /** Returns the resources of which a waiting job requests some. Requires a queue tree. */
  public BitSet asked(JobEntry job) {
    return quotas.charge(job).resources();
  }

  /**
   * Returns the borrowers of the quota that a job needs under a hypothetical usage. Requires a
   * queue tree.
   */
  public LentQuota lentTo(JobEntry job, BitSet needed, HypotheticalUsage use) {
    return new LentQuota(job.account(), quotas.charge(job), needed, use);
  }

  /** Returns true if the quotas admit a change of a running job. */
  public boolean admitsChange(JobEntry job, Placement next) {
    return admitsMove(job, next, HypotheticalUsage.toAdmit());
  }

  /**
   * Returns true if the quotas admit another placement of a running job under a hypothetical usage
   * that counts it where it is. Without a tree everything is admitted.
   */
  public boolean admitsMove(JobEntry job, Placement next, HypotheticalUsage use) {
    if (!quotas.hasQueueTree()) {
      return true;
    }
    Charge more = quotas.charge(next).without(quotas.charge(job));
    return job.account().admission().admits(more, job.job().isPreemptible(), use)
        && respectsUnlendable(job, more, use);
  }

  /**
   * Returns true if the quotas admit a waiting job at one of its sizes on some nodes. Requires a
   * queue tree.
   */
  public boolean mayAdmit(JobEntry job, JobSpec sized) {
    Charge charge = certain(sized);
    return job.account().admission().excess(charge, job.job().isPreemptible()).isEmpty()
        && respectsUnlendable(job, charge, HypotheticalUsage.toAdmit());
  }

  /**
   * Returns the rules of reclaim for a waiting job. Requires a queue tree.
   *
   * @param scarce the resources that are short for it
   */
  public Reclaim reclaimFor(JobEntry job, BitSet scarce) {
    books().divide();
    return new Reclaim(job.account(), quotas.charge(job), scarce);
  }

  /** Returns true if a waiting job may evict jobs of other queues. Requires a queue tree. */
  public boolean mayTakeBack(JobEntry job) {
    return quotas.reclaiming() != Reclaiming.NEVER && isWithinShare(job);
  }

  /** Returns true if the queue of a waiting job stays within its share with it. */
  public boolean isWithinShare(JobEntry job) {
    books().divide();
    return job.account().isInShare(quotas.charge(job));
  }

  /**
   * Returns true if the start of a waiting job makes its queue borrow. Without a tree, and where
   * quota is lent to the first jobs of queues alone, none does.
   */
  public boolean borrows(JobEntry job) {
    if (!quotas.hasQueueTree() || quotas.reclaiming() == Reclaiming.LENT_QUOTA) {
      return false;
    }
    books().divide();
    return !job.account().isEntitledTo(quotas.charge(job));
  }

  /**
   * Returns true if the start of any waiting job of a queue is known to make it borrow. Requires a
   * queue tree that does not lend quota.
   */
  public boolean borrows(WaitingClasses.OfQueue queue) {
    books().divide();
    return !queue.account().isEntitledTo(queue.least(quotas::charge));
  }

  /**
   * Returns true if a waiting job may evict jobs of other queues within its share, and only
   * capacity decides whether it starts. Requires a queue tree.
   */
  public boolean mayReclaim(JobEntry job) {
    return !quotas.lendsQuota() && dependsOnlyOnCapacity(job) && mayTakeBack(job);
  }

  /**
   * Returns true if the start of a waiting job whose turn it is depends on more than its queue's
   * quota, free capacity and victims of its own queue: on the usage of other queues.
   */
  public boolean dependsOnOthers(JobEntry job) {
    return quotas.hasQueueTree()
        && (quotas.lendsQuota() || !dependsOnlyOnCapacity(job) || mayTakeBack(job));
  }

  /**
   * Returns true if an admitted job can use any capacity: its charge is the same everywhere and no
   * quota is unlendable. Requires a queue tree.
   */
  public boolean dependsOnlyOnCapacity(JobEntry job) {
    return !quotas.guaranteesUnlendableQuota() && !dependsOnModels(job);
  }

  /**
   * Returns true if the job's charge depends on the placement: GPUs are counted by model, and it
   * may run on several models. Requires a queue tree.
   */
  public boolean dependsOnModels(JobEntry job) {
    return books().dependsOnPlacement(job.job());
  }

  /** Reserves its queue's guarantee for a first job that does not fit, until all are released. */
  public void reserveFor(JobEntry job, WaitingJobs eligible) {
    if (quotas.lendsQuota() && job.equals(eligible.firstOf(job.queue()))) {
      books().reserve(job.account().name(), job.account().reservationFor(quotas.charge(job)));
    }
  }

  /** Reserves guarantees up to these amounts. */
  public void reserve(Map<QueueName, Charge> amounts) {
    amounts.forEach((queue, most) -> books().reserve(queue, most));
  }

  /** Returns the amounts up to which guarantees are reserved for the first jobs of queues. */
  public Map<QueueName, Charge> reserved() {
    return quotas.hasQueueTree() ? books().reserved() : Map.of();
  }

  /** Ends all reservations for waiting jobs. */
  public void releaseReservations() {
    if (quotas.hasQueueTree()) {
      books().releaseReservations();
    }
  }

  /** Counts a running job elsewhere in a hypothetical usage. */
  public void move(JobEntry job, Placement next, HypotheticalUsage use) {
    if (quotas.hasQueueTree()) {
      use.hold(job.account(), quotas.charge(next).without(quotas.charge(job)), 1);
    }
  }

  /** Counts a waiting job as started in a hypothetical usage. */
  public void start(JobEntry job, Placement placement, HypotheticalUsage use) {
    if (quotas.hasQueueTree()) {
      use.hold(job.account(), quotas.charge(placement), job.job().isPreemptible(), 1);
    }
  }
}
