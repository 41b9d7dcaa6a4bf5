package io.github.liquidscheduler.scheduler.quota;

/**
 * The check of a job that replaces jobs of its own queue: all limits hold, and where shares are
 * reclaimed usage stays within the share or does not grow. Unlendable quota of other queues is not
 * checked. Mutable: victims are added one by one.
 */
public final class ReplacementAdmission {

  private final QueueAccount queue;
  private final boolean preemptible;
  private final boolean withinShare;
  private final HypotheticalUsage use = HypotheticalUsage.toAdmit();
  private final long[] left;

  /**
   * Starts without victims.
   *
   * @param queue the job's queue
   * @param preemptible whether it may be stopped; else it needs guaranteed quota
   * @param withinShare whether others reclaim usage beyond the share
   */
  public ReplacementAdmission(QueueAccount queue, boolean preemptible, boolean withinShare) {
    this.queue = queue;
    this.preemptible = preemptible;
    this.withinShare = withinShare;
    left = new long[queue.resources()];
  }

  /** Adds {@code times} times the charge of a job of the queue; a victim counts -1. */
  public void hold(QueueAccount account, Charge charge, int times) {
    use.hold(account, charge, times);
    charge.addTo(left, -times);
  }

  /**
   * Returns true if a job that would hold these amounts is admitted. Monotonic: more victims never
   * forbid it.
   */
  public boolean isAllowed(Charge asked) {
    return queue.admission().admits(asked, preemptible, use)
        && (!withinShare || queue.isInShare(asked.without(new Charge(left))));
  }
}
