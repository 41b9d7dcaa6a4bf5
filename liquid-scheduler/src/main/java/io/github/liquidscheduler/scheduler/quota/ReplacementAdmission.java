package io.github.liquidscheduler.scheduler.quota;

/**
 * The check of a job that replaces jobs of its own queue: all limits hold, and where shares are
 * reclaimed usage stays within the share or does not grow. Unlendable quota of other queues is not
 * checked. Mutable: victims are added one by one.
 */
public final class ReplacementAdmission {

  private final QueueAccount queue;
  private final Charge asked;
  private final boolean preemptible;
  private final boolean withinShare;
  private final HypotheticalUsage use = HypotheticalUsage.toAdmit();
  private Charge more;

  /**
   * Starts without victims.
   *
   * @param queue the job's queue
   * @param asked the amounts that it would hold
   * @param preemptible whether it may be stopped; else it needs guaranteed quota
   * @param withinShare whether others reclaim usage beyond the share
   */
  public ReplacementAdmission(
      QueueAccount queue, Charge asked, boolean preemptible, boolean withinShare) {
    this.queue = queue;
    this.asked = asked;
    this.preemptible = preemptible;
    this.withinShare = withinShare;
    more = asked;
  }

  /** Adds a victim. */
  public void lose(Charge lost) {
    use.hold(queue, lost, -1);
    more = more.without(lost);
  }

  /** Returns true if the job is admitted. Monotonic: more victims never forbid it. */
  public boolean isAllowed() {
    return queue.admission().admits(asked, preemptible, use)
        && (!withinShare || queue.isInShare(more));
  }
}
