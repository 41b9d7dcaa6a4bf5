package io.github.liquidscheduler.scheduler.order;

/** Why a running job has to give way; victims are taken in this order. */
public enum TakingRight {
  /** It is opportunistic, and the other is not. */
  OPPORTUNISTIC,
  /** It is above its preferred size. */
  SURPLUS,
  /** Its queue borrows, and the other's queue stays within its entitlement. */
  BORROWED,
  /** Its rank in its queue is lower than the other's. */
  LOWER_RANK
}
