package io.github.liquidscheduler.scheduler.quota;

/**
 * Whether a queue may hold a waiting job in the stead of some of its own: within its limits, and
 * those of the queues that it is a part of, and where shares are taken back no more than its share,
 * or than before. What other queues do not lend is not looked at. Mutable: one leaves after the
 * other.
 */
public final class ReplacementAdmission {

  private final QueueAccount queue;
  private final Charge asked;
  private final boolean preemptible;
  private final boolean withinShare;
  private final HypotheticalUsage use = HypotheticalUsage.toAdmit();
  private Charge more;

  /**
   * Begins with nobody gone.
   *
   * @param queue the job's
   * @param asked what it would hold
   * @param preemptible whether it may be stopped; else it needs what is guaranteed
   * @param withinShare whether others take back what the queue holds beyond its share
   */
  public ReplacementAdmission(
      QueueAccount queue, Charge asked, boolean preemptible, boolean withinShare) {
    this.queue = queue;
    this.asked = asked;
    this.preemptible = preemptible;
    this.withinShare = withinShare;
    more = asked;
  }

  /** Has the queue lose something that it holds. */
  public void lose(Charge lost) {
    use.hold(queue, lost, -1);
    more = more.without(lost);
  }

  /** Returns true if it may hold the job now. Once it may, it may whoever leaves besides. */
  public boolean isAllowed() {
    return queue.admission().admits(asked, preemptible, use)
        && (!withinShare || queue.isInShare(more));
  }
}
