package io.github.liquidscheduler.scheduler.order;

/** The kinds of claims on future capacity. Of two that cannot both stand the earlier kind does. */
public enum ClaimKind {
  /** A node is lost, or under maintenance. */
  LOSS_OR_MAINTENANCE,
  /** Capacity reserved in advance for jobs, a queue or users. */
  ADVANCE_RESERVATION,
  /** A deadline that was promised. */
  DEADLINE_PROMISE,
  /** Nodes kept for a gang that restarts, until a stated time. */
  RESTART,
  /** The reserved start of a waiting job that leaves its queue within its entitlement. */
  RESERVATION_WITHIN_SHARE,
  /** The place that a batch plan gave a job. */
  PLANNED_PLACE,
  /** The reserved start of a waiting job that leaves its queue beyond its entitlement. */
  RESERVATION_BEYOND_SHARE;

  /** Returns true if a job that started on such a claim keeps its capacity from later kinds. */
  public boolean protectsStarted() {
    return this == ADVANCE_RESERVATION || this == DEADLINE_PROMISE;
  }
}
